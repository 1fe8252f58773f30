import { fieldOf, isObject, type Json, type JsonObject } from "./json.js";

/** Fields whose values are named by whoever wrote the document: there, no name is a word of the specification. */
const NAMED = new Set(
  (
    "properties patternProperties dependentSchemas definitions $defs schemas responses parameters examples " +
    "requestBodies headers securitySchemes securityDefinitions links callbacks pathItems paths webhooks content " +
    "encoding variables"
  ).split(" "),
);
/** Fields that hold data of the API, in which `$ref` is a word like any other. */
const DATA = new Set(["example", "default", "const", "enum", "value"]);

/** A reference, where it stands. */
export interface Reference {
  at: JsonObject;
  field: string;
  to: string;
}

/** Returns all references in a document: `$ref`, and the addresses in the mapping of a discriminator. */
export function referencesIn(document: JsonObject): Reference[] {
  const found: Reference[] = [];
  const seen = new Set<object>();

  function walk(value: Json, named: boolean): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) {
      for (const one of value) walk(one, false);
      return;
    }
    for (const name of Object.keys(value)) {
      const one = value[name]!;
      if (named) walk(one, false);
      else if (name === "$ref" && typeof one === "string") found.push({ at: value, field: name, to: one });
      else if (name === "discriminator") found.push(...mappingOf(one));
      else if (!DATA.has(name) && !(name === "examples" && Array.isArray(one))) walk(one, NAMED.has(name));
    }
  }

  walk(document, false);
  return found;
}

/** A mapping names a schema by its address, or by its bare name. */
function mappingOf(discriminator: Json): Reference[] {
  const mapping = fieldOf(discriminator, "mapping");
  if (!isObject(mapping)) return [];
  return Object.entries(mapping).flatMap(([field, to]) =>
    typeof to === "string" && /[#/]|\.(json|ya?ml)$/.test(to) ? [{ at: mapping, field, to }] : [],
  );
}

/** The steps of a JSON pointer in the fragment of an address; undefined for a fragment that is no pointer. */
export function stepsOf(fragment: string): string[] | undefined {
  if (fragment === "") return [];
  if (!fragment.startsWith("/")) return undefined;
  return fragment
    .slice(1)
    .split("/")
    .map((step) => unescaped(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** How many references may lead from one to the next. */
const MOST_HOPS = 50;

/**
 * The value that a local reference (`#/…`) leads to, through other references on the way; undefined when it leads nowhere
 * or round in a circle.
 */
export function targetOf(document: JsonObject, reference: string, hops = 0): Json | undefined {
  const steps = reference.startsWith("#") ? stepsOf(reference.slice(1)) : undefined;
  if (!steps || hops > MOST_HOPS) return undefined;
  let value: Json | undefined = document;
  for (const step of steps) {
    value = followed(document, value, hops);
    value = Array.isArray(value) ? value[Number(step)] : fieldOf(value, step);
    if (value === undefined) return undefined;
  }
  return followed(document, value, hops);
}

/** A value, or what it refers to. */
export function followed(document: JsonObject, value: Json | undefined, hops = 0): Json | undefined {
  const reference = fieldOf(value, "$ref");
  return typeof reference === "string" ? targetOf(document, reference, hops + 1) : value;
}
