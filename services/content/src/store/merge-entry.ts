import type { MergeResult } from "@octavo/markdown/merge/merge";
import { blobOid, hashOf } from "./bodies.js";
import type { Entry } from "./version.js";

/** What both sides of a merge changed in different ways. */
export interface Conflict {
  /** The entry that can not be combined. */
  id: string;
  kind: Entry["kind"];
  title: string;
  /** What is in conflict: names of properties, `document`, `position`, or `deleted` (changed here, deleted there). */
  properties: string[];
  /** The page above it that the primary content no longer has. */
  missing?: string;
  sides: Sides;
}

/** Three states of one entry; undefined is "not there". */
export interface Sides {
  base: Entry | undefined;
  /** The primary content's. */
  primary: Entry | undefined;
  /** The change request's. */
  own: Entry | undefined;
}

/** An entry that the change request touched, and what combining its sides results in. */
export interface Outcome extends Sides {
  id: string;
  result: Entry | undefined;
}

export type Combined = { entry: Entry | undefined; text?: string } | { conflict: Conflict };

/** Three states of one text. */
export interface Disputed {
  base: string;
  ours: string;
  theirs: string;
}

/** The texts that combining looks into, and what it does with them. */
export interface Texts {
  /** Reads a text by its hash. */
  textOf: (hash: string) => string;
  merge: (texts: Disputed) => Promise<MergeResult>;
  /** The base of a merge after its conflicts were decided: where `wanted` differs, or everywhere without it. */
  decide: (texts: Disputed, wanted?: string) => Promise<string>;
}

/** The git blob is not among them: it follows the text. */
export const FIELDS = ["kind", "slug", "title", "git_path"] as const;

/**
 * Combines what a change request and the primary content made of one entry since their common base: by property, by
 * place, and inside a text by top-level block. What only one side changed is taken; what both changed alike is one
 * change; what both changed differently is a conflict. Deterministic, and no input is lost.
 */
export async function combine(sides: Sides, texts: Texts): Promise<Combined> {
  const { base, primary, own } = sides;
  if (same(own, base) || same(own, primary)) return { entry: primary };
  if (same(primary, base)) return { entry: own };
  if (!own || !primary) {
    const { id, kind, title } = (own ?? primary)!;
    return { conflict: { id, kind, title, properties: ["deleted"], sides } };
  }
  return combineEntries({ base, primary, own }, texts);
}

async function combineEntries(
  { base, primary, own }: { base?: Entry; primary: Entry; own: Entry },
  texts: Texts,
): Promise<Combined> {
  const properties: string[] = [];
  const pick = <T>(name: string, was: T | undefined, theirs: T, ours: T): T => {
    if (equal(ours, theirs) || equal(ours, was)) return theirs;
    if (!equal(theirs, was)) properties.push(name);
    return ours;
  };
  const picked = Object.fromEntries(
    FIELDS.map((field) => [field, pick<unknown>(field, base?.[field], primary[field], own[field])]),
  );
  const place = pick("position", placeOf(base), placeOf(primary)!, placeOf(own)!);
  const props = combineProps(base?.props ?? {}, primary.props, own.props, pick);
  const text = await combineText({ base, primary, own }, texts);
  if (text.conflict) properties.push("document");
  if (text.conflict || properties.length > 0)
    return {
      conflict: { id: own.id, kind: own.kind, title: own.title, properties, sides: { base, primary, own } },
    };
  const written = { body: text.body, git_oid: oidOf(text, primary, own) };
  const updated_at = latest(primary.updated_at, own.updated_at);
  const entry = withFields(primary, { ...picked, ...place, props, ...written, updated_at });
  return { entry, text: text.merged };
}

/**
 * An entry with some of its fields as other states of it have them. These are combined name by name, and the kind is one
 * of the names, so nothing but what they came from says that they fit together.
 */
export const withFields = (entry: Entry, fields: EntryFields): Entry => ({ ...entry, ...fields }) as Entry;

/** Fields of an entry of any kind. */
export type EntryFields = Partial<Record<keyof Entry, unknown>>;

function combineProps(
  base: Fields,
  primary: Fields,
  own: Fields,
  pick: <T>(name: string, was: T | undefined, theirs: T, ours: T) => T,
) {
  const names = new Set([...Object.keys(primary), ...Object.keys(own)]);
  const props: Fields = {};
  for (const name of names) {
    const states = [base[name], primary[name], own[name]] as const;
    const combined = combineFields(name, ...states);
    const value = combined ? combined.value : pick(name, ...states);
    if (value !== undefined) props[name] = value;
  }
  return props;
}

/** Properties that are made of fields, of which both sides may change others. */
const OF_FIELDS = new Set(["layout", "variables"]);
export type Fields = Record<string, unknown>;
/** Three states of a property. */
type States = readonly [base: unknown, primary: unknown, own: unknown];

/**
 * Such a property of both sides, without a value when each removed what the other left; undefined when it is none, or
 * they changed a field of it differently.
 */
function combineFields(name: string, ...[base, primary, own]: States): { value?: Fields } | undefined {
  const combined = combineInside(name, base, primary, own);
  if (!combined || combined.conflicts.length > 0) return undefined;
  return Object.keys(combined.fields).length === 0 ? {} : { value: combined.fields };
}

/** The fields inside a property of both sides that they changed differently; undefined when it is in conflict as a whole. */
export const fieldsInConflict = (name: string, ...states: States): string[] | undefined =>
  combineInside(name, ...states)?.conflicts;

function combineInside(name: string, ...[base, primary, own]: States) {
  if (!OF_FIELDS.has(name) || !primary || !own) return undefined;
  const conflicts: string[] = [];
  const fields = combineProps(
    (base ?? {}) as Fields,
    primary as Fields,
    own as Fields,
    (field, was, theirs, ours) => {
      if (equal(ours, theirs) || equal(ours, was)) return theirs;
      if (!equal(theirs, was)) conflicts.push(field);
      return ours;
    },
  );
  return { fields, conflicts };
}

async function combineText(
  { base, primary, own }: { base?: Entry; primary: Entry; own: Entry },
  { textOf, merge }: Texts,
): Promise<{ conflict: true } | { conflict?: undefined; body: string | null; merged?: string }> {
  if (own.body === primary.body || own.body === base?.body) return { body: primary.body };
  if (primary.body === base?.body) return { body: own.body };
  if (own.kind === "file" || !base?.body || !own.body || !primary.body) return { conflict: true };
  const result = await merge({
    base: textOf(base.body),
    ours: textOf(primary.body),
    theirs: textOf(own.body),
  });
  if (result.conflict) return { conflict: true };
  return { body: hashOf(result.markdown), merged: result.markdown };
}

function oidOf(
  { body, merged }: { body: string | null; merged?: string },
  primary: Entry,
  own: Entry,
): string | null {
  if (merged !== undefined) return own.git_path ? blobOid(merged) : null;
  return body === own.body ? own.git_oid : primary.git_oid;
}

/** Where an entry stands, which is one property. */
export const placeOf = (entry: Entry | undefined) =>
  entry && { parent: entry.parent, position: entry.position };

function latest(one: string | null, other: string | null): string | null {
  if (!one || !other) return one ?? other;
  return Date.parse(one) > Date.parse(other) ? one : other;
}

/** Whether two states of an entry say the same; when they were written does not count. */
export function same(one: Entry | undefined, other: Entry | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    [...FIELDS, "parent", "position", "body"].every(
      (field) => one[field as keyof Entry] === other[field as keyof Entry],
    ) && equal(one.props, other.props)
  );
}

/** Whether two values are the same JSON, whatever the order of their keys. */
export function equal(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other);
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
