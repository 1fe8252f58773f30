import { entriesOf, fieldOf, isObject, type Json, type JsonObject } from "./json.js";
import { followed } from "./references.js";

/** What a schema allows, with what it is made of (`allOf`) put together. */
export interface Shape {
  /** Undefined when it says nothing of the type. */
  types?: Set<string>;
  /** The values that it allows, as JSON. */
  values?: Set<string>;
  properties: Map<string, Json>;
  required: Set<string>;
  items?: Json;
  /** The schema of properties that have no name in it. */
  others?: Json;
  /** Alternatives (`oneOf`, `anyOf`), by the name of their schema, else by their turn. */
  variants: Map<string, Json>;
  /** `minimum` and the like. */
  bounds: Map<string, number>;
}

const BOUNDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];
/** How deep `allOf` nests. */
const MOST_LEVELS = 20;

/** Returns the shape of a schema; one without anything for what is no schema. */
export function shapeOf(document: JsonObject, schema: Json | undefined): Shape {
  const shape: Shape = { properties: new Map(), required: new Set(), variants: new Map(), bounds: new Map() };
  add(document, shape, schema, 0);
  return shape;
}

function add(document: JsonObject, shape: Shape, written: Json | undefined, level: number): void {
  const schema = followed(document, written);
  if (!isObject(schema) || level > MOST_LEVELS) return;
  shape.types = typesOf(schema) ?? shape.types;
  const values = Object.hasOwn(schema, "const") ? [schema.const!] : schema.enum;
  if (Array.isArray(values)) shape.values = new Set(values.map((value) => JSON.stringify(value)));
  for (const [name, property] of entriesOf(schema, "properties")) shape.properties.set(name, property);
  if (Array.isArray(schema.required))
    for (const name of schema.required) if (typeof name === "string") shape.required.add(name);
  shape.items = schema.items ?? shape.items;
  if (isObject(schema.additionalProperties)) shape.others = schema.additionalProperties;
  for (const word of ["oneOf", "anyOf"]) addVariants(shape, schema[word]);
  for (const bound of BOUNDS) {
    const value = schema[bound];
    if (typeof value === "number") shape.bounds.set(bound, value);
  }
  if (Array.isArray(schema.allOf)) for (const part of schema.allOf) add(document, shape, part, level + 1);
}

function addVariants(shape: Shape, variants: Json | undefined): void {
  if (!Array.isArray(variants)) return;
  for (const [turn, variant] of variants.entries()) {
    const name = fieldOf(variant, "$ref") ?? fieldOf(variant, "title");
    shape.variants.set(typeof name === "string" ? name.split("/").at(-1)! : `${turn + 1}`, variant);
  }
}

function typesOf({ type, nullable }: JsonObject): Set<string> | undefined {
  const types = [type].flat().filter((one) => typeof one === "string");
  if (types.length === 0) return undefined;
  return new Set(nullable === true ? [...types, "null"] : types);
}
