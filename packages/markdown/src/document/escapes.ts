import { readingOf } from "../parser/parser.js";

/** A sign that a line may not need: an escape, by what it escapes, or an angle bracket around an address. */
interface Spare {
  kind: string;
  at: number;
}

export interface Spares {
  /** Addresses that stand bare where they can. */
  bare: ReadonlySet<string>;
  /** Brackets may be the label of a definition. */
  defines: boolean;
}

/** A line beyond this keeps its escapes: it is read up to a dozen times. */
const LONGEST = 10_000;
const TOKEN =
  /\\([\\*_[\]~$<&{:])|\\[^\n]|`+|<(https?:[^\s<>]*)>|<(?:[a-z/][^<>\n]*|!--[^\n]{0,500}?--)>|\]\((?:<[^<>\n]*>|[^\s()]*)/gi;
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/**
 * A line of text without the escapes that it reads alike without, and without angle brackets around addresses that
 * were bare: first without any of them, else kind by kind.
 */
export function withoutSpares(source: string, { bare, defines }: Spares): string {
  if (source.length > LONGEST || !/[\\<]/.test(source)) return source;
  const spares = sparesIn(source, bare).filter(({ kind }) => !defines || kind !== "[");
  if (spares.length === 0) return source;
  const reading = readingOf(source);
  const all = without(source, spares);
  if (readingOf(all) === reading) return all;
  const kinds = new Set(spares.map(({ kind }) => kind));
  const dropped = new Set<string>();
  const rest = () =>
    without(
      source,
      spares.filter(({ kind }) => dropped.has(kind)),
    );
  for (const kind of kinds) {
    dropped.add(kind);
    if (readingOf(rest()) !== reading) dropped.delete(kind);
  }
  return rest();
}

function without(source: string, spares: Spare[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { at } of spares) {
    parts.push(source.slice(from, at));
    from = at + 1;
  }
  return parts.join("") + source.slice(from);
}

/** Those in words, in order: neither in code nor in tags and destinations of links. */
function sparesIn(source: string, bare: ReadonlySet<string>): Spare[] {
  const spares: Spare[] = [];
  const unclosed = new Set<number>();
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(source); found; found = TOKEN.exec(source)) {
    const { index: at, 0: token, 1: escaped, 2: url } = found;
    if (escaped !== undefined && isSpare(source, at, escaped))
      spares.push({ kind: escaped === "]" ? "[" : escaped, at });
    if (url !== undefined && bare.has(url))
      spares.push({ kind: "url", at }, { kind: "url", at: at + token.length - 1 });
    if (token[0] !== "`" || unclosed.has(token.length)) continue;
    const end = new RegExp(`(?<!\`)${token}(?!\`)`, "g");
    end.lastIndex = TOKEN.lastIndex;
    if (end.test(source)) TOKEN.lastIndex = end.lastIndex;
    else unclosed.add(token.length);
  }
  return spares;
}

/** Whether the sign can stand alone for all that is not read as a line of text: blocks, tags and elements. */
function isSpare(source: string, at: number, escaped: string): boolean {
  const next = source[at + 2] ?? "\n";
  const begins = /(?:^|\n)[ \t]*$/.test(source.slice(Math.max(0, at - 20), at));
  switch (escaped) {
    case "\\":
      return next !== "\n" && !PUNCTUATION.test(next);
    case "<":
      return next !== "\n" && !/[A-Za-z/!?\\]/.test(next);
    case "&":
      return !/^(?:#|[A-Za-z0-9]{1,40};|[\\\n]|$)/.test(source.slice(at + 2, at + 50));
    case "{":
      return next !== "\n" && next !== "%" && next !== "\\";
    case "[":
      return next !== "^" && !(begins && /^(?:[ xX]?\\?\]|[^\n]*\]:)/.test(source.slice(at + 2, at + 1000)));
    case "~":
    case "$":
      return next !== escaped && source[at - 1] !== escaped;
    case "*":
    case "_":
      return !begins || (!/\s/.test(next) && /^[^\n]*[\p{L}\p{N}]/u.test(source.slice(at, at + 1000)));
    default:
      return true;
  }
}
