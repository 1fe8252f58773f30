import type { Json, JsonObject } from "./json.js";
import { followed } from "./references.js";
import { type Shape, shapeOf } from "./shape.js";
import { type Content, type Operation, operationsIn } from "./surface.js";

export const BREAKING_KINDS = [
  "operation-removed",
  "parameter-removed",
  "parameter-required",
  "body-required",
  "media-type-removed",
  "response-removed",
  "field-removed",
  "field-required",
  "field-optional",
  "type-changed",
  "values-narrowed",
  "bounds-narrowed",
  "variant-removed",
] as const;

/** Something that clients of the former version relied on. */
export interface BreakingChange {
  kind: (typeof BREAKING_KINDS)[number];
  /** Such as `GET /pets/{petId}`, as the former version wrote it. */
  operation: string;
  /** Where in it: `query limit`, `body.name`, `200.items[].id`; absent for the operation itself. */
  at?: string;
}

export interface BreakingChanges {
  /** All there are, as far as was looked. */
  count: number;
  /** The first of them. */
  items: BreakingChange[];
}

/** Changes that are listed at most, and schemas that are looked at. */
const MOST_CHANGES = 200;
const MOST_SCHEMAS = 200_000;
/** How deep fields of fields are followed. */
const MOST_LEVELS = 100;

/** Who makes the values of a schema: what a client sends may not be refused, what it reads may not be missing. */
type Side = "sent" | "read";

/**
 * Lists what clients of a document cannot rely on in a later one: what was removed, what is asked for in addition, and
 * what is allowed no longer.
 */
export function compare(former: JsonObject, present: JsonObject): BreakingChanges {
  const changes: BreakingChanges = { count: 0, items: [] };
  const now = operationsIn(present);
  const looked = { schemas: 0, level: 0 };
  for (const [key, operation] of operationsIn(former)) {
    const report = (kind: BreakingChange["kind"], at?: string) => {
      changes.count += 1;
      if (changes.items.length >= MOST_CHANGES) return;
      changes.items.push({
        kind,
        operation: operation.name.slice(0, 500),
        ...(at && { at: at.slice(0, 500) }),
      });
    };
    const again = now.get(key);
    if (!again) report("operation-removed");
    else
      compareOperation(
        { former, present, report, looked, seen: { sent: new Map(), read: new Map() } },
        operation,
        again,
      );
  }
  return changes;
}

interface Comparison {
  former: JsonObject;
  present: JsonObject;
  report: (kind: BreakingChange["kind"], at?: string) => void;
  looked: { schemas: number; level: number };
  /** Pairs of schemas of this operation that were compared, so that circles end. */
  seen: Record<Side, Map<Json, Set<Json>>>;
}

function compareOperation(of: Comparison, former: Operation, present: Operation): void {
  for (const [name, parameter] of former.parameters) {
    const again = present.parameters.get(name);
    if (!again) of.report("parameter-removed", name);
    else {
      if (again.required && !parameter.required) of.report("parameter-required", name);
      compareSchemas(of, "sent", name, parameter.schema, again.schema);
    }
  }
  for (const [name, { required }] of present.parameters)
    if (required && !former.parameters.has(name)) of.report("parameter-required", name);
  if (present.body?.required && !former.body?.required) of.report("body-required", "body");
  if (former.body)
    compareContent(of, "sent", "body", former.body.content, present.body?.content ?? new Map());
  for (const [status, content] of former.responses) {
    if (!/^(2|default$)/.test(status)) continue;
    const again = present.responses.get(status);
    if (again) compareContent(of, "read", status, content, again);
    else of.report("response-removed", status);
  }
}

function compareContent(of: Comparison, side: Side, at: string, former: Content, present: Content): void {
  for (const [type, schema] of former) {
    // A document of version 2 names media types elsewhere.
    const again = present.has(type) ? type : type === "*/*" ? [...present.keys()][0] : "*/*";
    if (again === undefined || !present.has(again)) of.report("media-type-removed", `${at} ${type}`);
    else compareSchemas(of, side, at, schema, present.get(again));
  }
}

function compareSchemas(
  of: Comparison,
  side: Side,
  at: string,
  written: Json | undefined,
  again: Json | undefined,
): void {
  const [former, present] = [followed(of.former, written), followed(of.present, again)];
  if (former === undefined || present === undefined) return;
  if (of.looked.schemas > MOST_SCHEMAS || of.looked.level > MOST_LEVELS) return;
  const known = of.seen[side].get(former) ?? new Set();
  if (known.has(present)) return;
  of.seen[side].set(former, known.add(present));
  of.looked.schemas += 1;
  of.looked.level += 1;
  const [one, other] = [shapeOf(of.former, former), shapeOf(of.present, present)];
  compareValues(of, side, at, one, other);
  compareProperties(of, side, at, one, other);
  compareSchemas(of, side, `${at}[]`, one.items, other.items);
  compareSchemas(of, side, `${at}.*`, one.others, other.others);
  if (other.variants.size > 0) compareVariants(of, side, at, one, other);
  of.looked.level -= 1;
}

function compareVariants(of: Comparison, side: Side, at: string, former: Shape, present: Shape): void {
  for (const [name, variant] of former.variants) {
    const place = `${at}<${name}>`;
    if (present.variants.has(name)) compareSchemas(of, side, place, variant, present.variants.get(name));
    else of.report("variant-removed", place);
  }
}

function compareValues(of: Comparison, side: Side, at: string, former: Shape, present: Shape): void {
  const [allowed, given] = side === "sent" ? [present, former] : [former, present];
  if (allowed.types && given.types && [...given.types].some((type) => !isAmong(type, allowed.types!)))
    of.report("type-changed", at);
  if (side === "read") return;
  const { values } = present;
  if (values && (!former.values || [...former.values].some((value) => !values.has(value))))
    of.report("values-narrowed", at);
  for (const [bound, value] of present.bounds) {
    const before = former.bounds.get(bound);
    const isNarrower = bound.startsWith("min")
      ? value > (before ?? (bound === "minimum" ? Number.NEGATIVE_INFINITY : 0))
      : value < (before ?? Number.POSITIVE_INFINITY);
    if (isNarrower) of.report("bounds-narrowed", at);
  }
}

const isAmong = (type: string, types: Set<string>) =>
  types.has(type) || (type === "integer" && types.has("number"));

function compareProperties(of: Comparison, side: Side, at: string, former: Shape, present: Shape): void {
  for (const [name, schema] of former.properties) {
    const again = present.properties.get(name);
    const place = `${at}.${name}`;
    if (again === undefined) {
      of.report("field-removed", place);
      continue;
    }
    compareSchemas(of, side, place, schema, again);
    if (side === "read" && former.required.has(name) && !present.required.has(name))
      of.report("field-optional", place);
  }
  if (side === "read") return;
  for (const name of present.required)
    if (!former.required.has(name)) of.report("field-required", `${at}.${name}`);
}
