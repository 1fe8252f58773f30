import { LRUCache } from "lru-cache";
import type { CodeToken } from "../scope.js";
import type { Code } from "./in-document.js";
import { languageNamed, piecesIn } from "./languages.js";
import { createTimeBudget, runWithin, type TimeBudget } from "./time-budget.js";

/** Longer code, and code with longer lines, is drawn as it is: nobody reads it for its colors. */
const MAX_CODE_LENGTH = 64 * 1024;
const LONGEST_LINE = 2_000;
/** Milliseconds that one block may take. */
const ONE_BLOCK = 1_000;

/** Characters of code whose pieces are kept: the same lines stand on many pages, and on a page that is drawn again. */
const MOST_KEPT = 60_000;
const kept = new LRUCache<string, { tokens: CodeToken[] | undefined }>({
  maxSize: MOST_KEPT,
  sizeCalculation: (_, key) => key.length,
});

const keyOf = (language: string, text: string): string => `${language}\n${text}`;

/** Whether the pieces of code are known, so that they take no time. */
export function isKnown({ text, syntax }: Code): boolean {
  const language = languageNamed(syntax);
  return language === undefined || isDrawnAsItIs(text) || kept.has(keyOf(language, text));
}

/**
 * Highlights the first of several pieces of code, so that drawing them takes no time, until `pause` ms have passed. Returns
 * those that are left, or undefined when it took more than `most` ms: one of them takes too long.
 */
export function highlightSome(
  codes: Code[],
  { pause, most }: { pause: number; most: number },
): Code[] | undefined {
  const end = performance.now() + pause;
  let done = 0;
  const isInTime = runWithin(most, () => {
    const time = createTimeBudget(most, { watched: false });
    for (const { text, syntax } of codes) {
      if (done > 0 && performance.now() > end) break;
      highlight(text, syntax, time);
      done += 1;
    }
    return !time.isOver;
  });
  return isInTime ? codes.slice(done) : undefined;
}

/** The pieces of code in a language, for as much of the time that a page has as one block may take. */
export function highlight(text: string, syntax: string, time: TimeBudget): CodeToken[] | undefined {
  const language = languageNamed(syntax);
  if (language === undefined || isDrawnAsItIs(text)) return undefined;
  const key = keyOf(language, text);
  const known = kept.get(key);
  if (known) return known.tokens;
  const found = time.spend(ONE_BLOCK, () => ({ tokens: piecesIn(language, text) }));
  if (found) kept.set(key, found);
  return found?.tokens;
}

const isDrawnAsItIs = (text: string): boolean => text.length > MAX_CODE_LENGTH || hasLongLine(text);

function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const next = end < 0 ? text.length : end;
    if (next - start > LONGEST_LINE) return true;
    start = next + 1;
  }
  return false;
}
