import type { CodeToken } from "../scope.js";
import type { Allowance } from "./deadline.js";
import { createKept } from "./kept.js";
import { isLoaded, languageNamed, load, piecesIn } from "./languages.js";

/** Longer code, and code with longer lines, is drawn as it is: nobody reads it for its colors. */
const LONGEST = 64 * 1024;
const LONGEST_LINE = 2_000;
/** Milliseconds that one block may take. */
const ONE_BLOCK = 1_000;

/** Characters of code whose pieces are kept: the same lines stand on many pages, and on a page that is drawn again. */
const MOST_KEPT = 60_000;
const kept = createKept<{ tokens: CodeToken[] | undefined }>(MOST_KEPT);

const keyOf = (language: string, text: string): string => `${language}\n${text}`;

/** Loads the grammar of a language, as authors call it, before anybody's time is counted. */
export function prepare(syntax: string): void {
  const language = languageNamed(syntax);
  if (language !== undefined && !isLoaded(language)) load(language);
}

/** Whether the pieces of code are known, so that they take no time. */
export function isKnown(text: string, syntax: string): boolean {
  const language = languageNamed(syntax);
  return language === undefined || kept.has(keyOf(language, text));
}

/** The pieces of code in a language, for as much of the time that a page has as one block may take. */
export function highlight(text: string, syntax: string, time: Allowance): CodeToken[] | undefined {
  const language = languageNamed(syntax);
  if (language === undefined || text.length > LONGEST || hasLongLine(text)) return undefined;
  const key = keyOf(language, text);
  const known = kept.get(key);
  if (known) return known.tokens;
  // A grammar is loaded when it is first used, which is nobody's code to pay for.
  if (!isLoaded(language) && !time.load(() => load(language))) return undefined;
  const found = time.spend(ONE_BLOCK, () => ({ tokens: piecesIn(language, text) }));
  if (found) kept.set(key, found);
  return found?.tokens;
}

function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const next = end < 0 ? text.length : end;
    if (next - start > LONGEST_LINE) return true;
    start = next + 1;
  }
  return false;
}
