import { jsonProblem } from "./json-bounds.js";

/** A value, or why there is none, in words that follow the name of what was read. */
export type Parsed = { value: unknown } | { problem: string };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What bytes say as JSON in UTF-8; what would take too much to parse is not parsed. */
export function parseJson(bytes: Buffer): Parsed {
  const problem = jsonProblem(bytes);
  if (problem) return { problem };
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { problem: "is not valid JSON" };
  }
}
