// Schemas of OpenAPI documents, as far as readers are shown them. They are somebody's data: nothing of them is believed.

import type { Operation, Part } from "../page.js";

export type { Operation, Part };

/** Whether a value is an object that is no list. */
export const isPart = (value: unknown): value is Part =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A part in a field; undefined for anything else. */
export const partIn = (part: Part | undefined, name: string): Part | undefined => {
  const value = part && Object.hasOwn(part, name) ? part[name] : undefined;
  return isPart(value) ? value : undefined;
};

/** The parts of a list in a field. */
export const partsIn = (part: Part, name: string): Part[] => {
  const value = Object.hasOwn(part, name) ? part[name] : undefined;
  return Array.isArray(value) ? value.filter(isPart) : [];
};

/** A text in a field; undefined for none and for anything else. */
export const wordsIn = (part: Part | undefined, name: string): string | undefined => {
  const value = part && Object.hasOwn(part, name) ? part[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
};

const MOST_HOPS = 20;

/** Returns a part with what it refers to, over 20 references at most, and consists of put together. */
export function resolve(part: Part | undefined, references: Operation["references"], hops = 0): Part {
  const to = wordsIn(part, "$ref");
  if (to !== undefined) {
    const target = Object.hasOwn(references, to) && hops < MOST_HOPS ? references[to] : undefined;
    const { $ref: _, ...beside } = part!;
    return { ...(target && resolve(target, references, hops + 1)), ...beside };
  }
  const all = part && hops < MOST_HOPS ? partsIn(part, "allOf") : [];
  if (all.length === 0) return part ?? {};
  const parts = all.map((one) => resolve(one, references, hops + 4));
  return [...parts, { ...part, allOf: undefined }].reduce(joined, {});
}

function joined(one: Part, other: Part): Part {
  const properties = { ...partIn(one, "properties"), ...partIn(other, "properties") };
  const required = [one.required, other.required].flatMap((list) => (Array.isArray(list) ? list : []));
  return { ...one, ...other, ...(Object.keys(properties).length > 0 && { properties }), required };
}

/** The alternatives of a schema, without the one that is nothing. */
export const alternatives = (schema: Part): Part[] =>
  [...partsIn(schema, "oneOf"), ...partsIn(schema, "anyOf")].filter(({ type }) => type !== "null");

/** The name that a reference ends with. */
const nameOf = (to: string): string => to.split("/").at(-1)!.slice(0, 100);

const DEEPEST = 3;

/** The type of a schema in a few words, such as `list of User`. */
export function typeOf(schema: Part | undefined, references: Operation["references"], depth = 0): string {
  const to = wordsIn(schema, "$ref");
  if (to !== undefined) return nameOf(to);
  const at = resolve(schema, references);
  const some = alternatives(at).slice(0, 8);
  if (some.length > 0)
    return depth > DEEPEST
      ? "any"
      : [...new Set(some.map((one) => typeOf(one, references, depth + 1)))].join(" | ");
  const types = (Array.isArray(at.type) ? at.type : [at.type]).filter((one) => typeof one === "string");
  const type = types.filter((one) => one !== "null").join(" | ");
  const or = types.includes("null") || at.nullable === true ? " | null" : "";
  if (type === "array")
    return depth > DEEPEST ? `array${or}` : `${typeOf(partIn(at, "items"), references, depth + 1)}[]${or}`;
  const format = wordsIn(at, "format");
  if (format !== undefined && type !== "") return `${type} (${format})${or}`;
  return (type || (at.properties ? "object" : Array.isArray(at.enum) ? "string" : "any")) + or;
}
