import { Document, isMap } from "yaml";
import { isRecord } from "../yaml/record.js";
import { readYaml } from "../yaml/yaml.js";

/** The variables of a space: a flat map of names to texts, numbers and booleans. */
export type Variables = Record<string, string | number | boolean>;

const NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/;
const LONGEST = 256;

/**
 * Reads `.gitbook/vars.yaml`. Names and values that a space can not have are left out, and named in `skipped`; of a file
 * that is no map, all of it is (`*`). Never throws.
 */
export function readVariables(source: string): { variables: Variables; skipped: string[] } {
  const read = readYaml(source);
  if ("problem" in read) return { variables: {}, skipped: ["*"] };
  if (!isRecord(read.value)) return { variables: {}, skipped: (read.value ?? null) === null ? [] : ["*"] };
  const usable = ([name, value]: [string, unknown]) => NAME.test(name) && isValue(value);
  const entries = Object.entries(read.value);
  return {
    variables: Object.fromEntries(entries.filter(usable)) as Variables,
    skipped: entries.filter((entry) => !usable(entry)).map(([name]) => name),
  };
}

const isValue = (value: unknown) =>
  typeof value === "boolean" ||
  Number.isFinite(value) ||
  (typeof value === "string" && value.length <= LONGEST);

/**
 * The text of a file of variables that holds these. What the file holds already stays as it is written, comments and
 * what a space can not have included; undefined when nothing is left in it.
 */
export function writeVariables(source: string | undefined, variables: Variables): string | undefined {
  const known = readVariables(source ?? "").variables;
  const changed = Object.entries(variables).filter(([name, value]) => known[name] !== value);
  const gone = Object.keys(known).filter((name) => !(name in variables));
  if (source !== undefined && changed.length === 0 && gone.length === 0) return source;
  const read = readYaml(source ?? "");
  const doc = "doc" in read && isMap(read.doc.contents) ? read.doc : new Document({});
  for (const name of gone) doc.delete(name);
  for (const [name, value] of changed) doc.set(name, value);
  return isMap(doc.contents) && doc.contents.items.length > 0 ? doc.toString({ lineWidth: 0 }) : undefined;
}
