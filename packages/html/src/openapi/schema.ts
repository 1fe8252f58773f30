// Schemas of OpenAPI documents, as far as readers are shown them. They are somebody's data: nothing of them is believed.

import { isObject, listIn, objectIn, textIn } from "../data.js";
import type { Operation, Part } from "../page.js";

export type { Operation, Part };

/** Parts of one list that are read: parameters, alternatives, what a schema consists of. */
const MOST_PARTS = 200;

/** The parts of a list in a field, 200 at most. */
export const partsIn = (part: Part, name: string): Part[] =>
  listIn(part, name).slice(0, MOST_PARTS).filter(isObject);

/** What an operation refers to, and how much of it may still be read. */
export interface References {
  parts: Operation["references"];
  /** Steps, in all that is drawn of the operation: a part that is looked at, or a field that is listed or copied. */
  left: number;
}

/** Steps of one operation: schemas that contain themselves many times over would be read without end. */
const MOST_STEPS = 20_000;

/** What an operation refers to, of which nothing was read yet. */
export const referencesOf = ({ references }: Pick<Operation, "references">): References => ({
  parts: references,
  left: MOST_STEPS,
});

const MOST_HOPS = 20;

/**
 * A part with what it refers to, over 20 references at most, and consists of put together. When no steps are left, it is the
 * part as it is written.
 */
export function resolve(part: Part | undefined, references: References, hops = 0): Part {
  references.left -= 1;
  if (!part || hops >= MOST_HOPS || references.left < 0) return part ?? {};
  const to = textIn(part, "$ref");
  if (to !== undefined) {
    const target = Object.hasOwn(references.parts, to) ? references.parts[to] : undefined;
    const resolved = resolve(target, references, hops + 1);
    if (Object.keys(part).length === 1) return resolved;
    return { ...together(fitting([resolved, part], references)), $ref: undefined };
  }
  const all = partsIn(part, "allOf");
  if (all.length === 0) return part;
  const parts = fitting([...all.map((one) => resolve(one, references, hops + 4)), part], references);
  const properties = together(parts.map((one) => objectIn(one, "properties") ?? {}));
  const required = parts.flatMap((one) => (Array.isArray(one.required) ? one.required : []));
  const hasProperties = Object.keys(properties).length > 0;
  return { ...together(parts), allOf: undefined, ...(hasProperties && { properties }), required };
}

/** The fields of all parts; of equal names, the later one. */
const together = (parts: Part[]): Part => Object.fromEntries(parts.flatMap((one) => Object.entries(one)));

/** The parts that there are steps left to copy. */
const fitting = (parts: Part[], references: References): Part[] =>
  parts.filter((one) => {
    if (references.left <= 0) return false;
    const required = Array.isArray(one.required) ? one.required.length : 0;
    const properties = Object.keys(objectIn(one, "properties") ?? {}).length;
    references.left -= Object.keys(one).length + properties + required;
    return references.left >= 0;
  });

/** The first properties of a schema, by their names; none when no steps are left. */
export function propertiesOf(
  schema: Part,
  references: References,
  most: number,
): [string, Part | undefined][] {
  const properties = references.left > 0 ? (objectIn(schema, "properties") ?? {}) : {};
  const names = Object.keys(properties);
  references.left -= names.length;
  return names.slice(0, most).map((name) => [name, objectIn(properties, name)]);
}

/** The alternatives of a schema, without the one that is nothing. */
export const alternatives = (schema: Part): Part[] =>
  [...partsIn(schema, "oneOf"), ...partsIn(schema, "anyOf")].filter(({ type }) => type !== "null");

/** Characters of a name, and of a type. */
const LONGEST_NAME = 100;
const LONGEST_TYPE = 300;

/** The name that a reference ends with. */
const nameOf = (to: string): string => to.slice(to.lastIndexOf("/") + 1).slice(0, LONGEST_NAME);

const MAX_DEPTH = 3;
/** Types and alternatives that one type names. */
const MOST_TYPES = 8;

/** The type of a schema in a few words, such as `list of User`. */
export const typeOf = (schema: Part | undefined, references: References): string =>
  typeAt(schema, references, 0);

function typeAt(schema: Part | undefined, references: References, depth: number): string {
  const to = textIn(schema, "$ref");
  if (to !== undefined) return nameOf(to);
  if (references.left <= 0) return "any";
  const at = resolve(schema, references);
  const some = alternatives(at).slice(0, MOST_TYPES);
  if (some.length > 0) {
    if (depth > MAX_DEPTH) return "any";
    const types = some.map((one) => typeAt(one, references, depth + 1));
    return [...new Set(types)].join(" | ").slice(0, LONGEST_TYPE);
  }
  const listed: unknown[] = Array.isArray(at.type) ? at.type.slice(0, MOST_TYPES) : [at.type];
  const types = listed.filter((one) => typeof one === "string");
  const type = types
    .filter((one) => one !== "null")
    .join(" | ")
    .slice(0, LONGEST_NAME);
  const or = types.includes("null") || at.nullable === true ? " | null" : "";
  if (type === "array" && depth > MAX_DEPTH) return `array${or}`;
  if (type === "array") return `${typeAt(objectIn(at, "items"), references, depth + 1)}[]${or}`;
  const format = textIn(at, "format")?.slice(0, LONGEST_NAME);
  if (format !== undefined && type !== "") return `${type} (${format})${or}`;
  return (type || (at.properties ? "object" : Array.isArray(at.enum) ? "string" : "any")) + or;
}
