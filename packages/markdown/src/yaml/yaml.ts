import { type Document, isScalar, LineCounter, type Pair, parseDocument, visit } from "yaml";
import { isRecord } from "./record.js";

export interface Problem {
  /** 1-based. */
  line: number;
  message: string;
}

/** Deeper nesting would exhaust the stack inside the parser, which can end the process instead of throwing. */
const DEEPEST = 100;
const WIDEST_INDENT = 400;

/**
 * Reads one YAML document: the value and the document with its places, or what is wrong with it. Never throws. Text
 * longer than `longest` characters is refused unread: the parser is slow on hostile text.
 */
export function readYaml(
  source: string,
  longest = 32_000,
): { doc: Document; value: unknown; lineOf: (offset: number) => number } | { problem: Problem } {
  if (source.length > longest) return { problem: { line: 1, message: "too long" } };
  if (isTooDeep(source)) return { problem: { line: 1, message: "nested too deeply" } };
  const counter = new LineCounter();
  const lineOf = (offset: number) => counter.linePos(offset).line;
  try {
    const doc = parseDocument(source, {
      lineCounter: counter,
      prettyErrors: false,
      logLevel: "silent",
      // The parser would compare each name of a map with all before it.
      uniqueKeys: false,
    });
    const [error] = doc.errors;
    if (error)
      return { problem: { line: lineOf(error.pos[0]), message: `not valid YAML: ${error.message}` } };
    const again = secondOfAName(doc);
    if (again !== undefined)
      return { problem: { line: lineOf(again), message: "not valid YAML: Map keys must be unique" } };
    return { doc, value: storable(doc.toJS()), lineOf };
  } catch (error) {
    const message = error instanceof Error ? error.message : "unreadable";
    return { problem: { line: 1, message: `not usable YAML: ${message}` } };
  }
}

/** Where a map has a name that it has already; undefined when none does. */
function secondOfAName(doc: Document): number | undefined {
  let found: number | undefined;
  visit(doc, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items as Pair[]) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        names.add(key.value);
      }
    },
  });
  return found;
}

/** Escapes in YAML can name what no text may hold: NUL, and halves of surrogate pairs. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return UNSTORABLE.test(value) ? value.replace(UNSTORABLES, "\uFFFD") : value;
  if (Array.isArray(value)) return value.map(storable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [storable(key) as string, storable(one)]),
  );
}
const UNSTORABLE = /[\0\p{Cs}]/u;
const UNSTORABLES = /[\0\p{Cs}]/gu;

/** Counts brackets without a look at quotes, and how far lines are indented by blanks and list marks. */
function isTooDeep(source: string): boolean {
  let depth = 0;
  let indent = 0;
  for (const character of source) {
    if (character === "\n" || character === "\r") indent = 0;
    else if (indent >= 0) indent = " \t-?:".includes(character) ? indent + 1 : -1;
    if (character === "[" || character === "{") depth += 1;
    else if ((character === "]" || character === "}") && depth > 0) depth -= 1;
    if (depth > DEEPEST || indent > WIDEST_INDENT) return true;
  }
  return false;
}
