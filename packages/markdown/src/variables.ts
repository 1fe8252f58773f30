import { isRecord } from "./record.js";
import { readYaml } from "./yaml.js";

/** The variables of a space: a flat map of names to texts, numbers and booleans. */
export type Variables = Record<string, string | number | boolean>;

const NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/;
const LONGEST = 256;

/** Reads `.gitbook/vars.yaml`. Names and values that a space can not have are left out; never throws. */
export function readVariables(source: string): Variables {
  const value = readMap(source);
  const entries = Object.entries(value).filter(([name, value]) => NAME.test(name) && isValue(value));
  return Object.fromEntries(entries) as Variables;
}

function readMap(source: string): Record<string, unknown> {
  const read = readYaml(source);
  return "problem" in read || !isRecord(read.value) ? {} : read.value;
}

const isValue = (value: unknown) =>
  typeof value === "boolean" ||
  Number.isFinite(value) ||
  (typeof value === "string" && value.length <= LONGEST);
