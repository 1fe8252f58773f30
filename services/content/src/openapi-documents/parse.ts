import { CORE_SCHEMA, load, Type } from "js-yaml";
import { parse } from "yaml";
import type { Json, JsonObject } from "./json.js";
import { isObject } from "./json.js";
import { reject } from "./problem.js";

/** Levels of a document; the specification itself needs some twenty. */
const MOST_LEVELS = 500;
/** What a document comes to with all its aliases written out, in characters of JSON, about. */
const MOST_CHARACTERS = 40_000_000;

/** Parses JSON or YAML into an object; rejects what is neither, nests too deep, or grows too large by its aliases. */
export function parseText(text: string): JsonObject {
  const value = valueIn(text.replace(/^\uFEFF/, ""));
  if (!isObject(value)) reject("yaml-parse", "The document is not an object");
  measure(value);
  return value;
}

function valueIn(text: string): Json {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // YAML has braces, too.
    }
  }
  const plain = plainYaml(text);
  if (plain !== undefined) return plain;
  try {
    // An alias is one more reference to the same value: what they come to is measured afterwards, however they nest.
    return parse(text, { merge: true, maxAliasCount: -1, logLevel: "error" }) as Json;
  } catch (error) {
    const [first = ""] = String((error as Error).message).split("\n");
    reject("yaml-parse", `The document is neither JSON nor YAML: ${first.replace(/:$/, "")}`);
  }
}

const MERGE = new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (key) => key === "<<" });
const PLAIN = { schema: CORE_SCHEMA.extend({ implicit: [MERGE] }) };
const DIRECTIVE = /^%/m;

/**
 * Parses YAML as almost all documents are written, in a fifth of the time that `yaml` takes; undefined for what has tags of
 * its own or directives, and for mistakes, of which `yaml` says more.
 */
function plainYaml(text: string): Json | undefined {
  if (DIRECTIVE.test(text)) return undefined;
  try {
    return load(text, PLAIN) as Json;
  } catch {
    return undefined;
  }
}

/** Finds out what a value comes to, looking at each part once; rejects one that holds itself. */
function measure(root: JsonObject): void {
  const sizes = new Map<object, number>();
  const open = new Set<object>();

  function sizeOf(value: Json, level: number): number {
    if (typeof value === "string") return value.length + 3;
    if (typeof value !== "object" || value === null) return 6;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) reject("yaml-parse", "An anchor holds an alias of itself");
    if (level > MOST_LEVELS) reject("too-large", `The document nests deeper than ${MOST_LEVELS} levels`);
    open.add(value);
    let size = 2;
    for (const name in value) {
      size += name.length + 3 + sizeOf((value as JsonObject)[name]!, level + 1);
      if (size > MOST_CHARACTERS) reject("too-large", "The document is too large with all its aliases");
    }
    open.delete(value);
    sizes.set(value, size);
    return size;
  }

  sizeOf(root, 0);
}
