import { fold } from "../../lexemes/fold.js";

const LENGTH = 240;
/** What stands before the first word that was found. */
const LEAD = 80;
/** Words that are looked for in a text, and places of each. */
const MOST_WORDS = 12;
const MOST_PLACES = 8;

/** The stretch of a text with most of the words in it, with an ellipsis where it is cut. The words are folded. */
export function excerptOf(text: string, words: string[]): string {
  if (text.length <= LENGTH) return text;
  const found = places(text, words.slice(0, MOST_WORDS));
  const from = found === undefined || found < LENGTH - LEAD ? 0 : boundary(text, found - LEAD);
  const until = from + LENGTH >= text.length ? text.length : end(text, from + LENGTH);
  const cut = text.slice(from, until).trim();
  return `${from > 0 ? "…" : ""}${cut}${until < text.length ? "…" : ""}`;
}

/** Where the stretch begins that holds most of the words. */
function places(text: string, words: string[]): number | undefined {
  const lower = text.toLowerCase();
  const plain = lower.length === text.length ? lower : text;
  const together = firstTogether(plain, words);
  if (together !== undefined) return together;
  let found = words.flatMap((word, which) => occurrences(plain, word).map((at) => ({ at, which })));
  if (found.length === 0) found = folded(text, words);
  found.sort((a, b) => a.at - b.at);
  const all = new Set(found.map(({ which }) => which)).size;
  let best: { at: number; held: number } | undefined;
  for (const [index, { at }] of found.entries()) {
    const held = new Set<number>();
    for (let next = index; next < found.length && found[next]!.at < at + LENGTH - LEAD; next += 1)
      held.add(found[next]!.which);
    if (!best || held.size > best.held) best = { at, held: held.size };
    if (held.size === all) break;
  }
  return best?.at;
}

/** The first place of all words, when one stretch holds them, as it mostly does. */
function firstTogether(text: string, words: string[]): number | undefined {
  let [from, until] = [Infinity, -Infinity];
  for (const word of words) {
    const [first] = occurrences(text, word, 1);
    if (first === undefined) return undefined;
    from = Math.min(from, first);
    until = Math.max(until, first);
  }
  return from <= until && until < from + LENGTH - LEAD ? from : undefined;
}

/** Where a word begins in a text; inside of other words only in scripts without spaces. */
function occurrences(text: string, word: string, most = MOST_PLACES): number[] {
  const found: number[] = [];
  const anywhere = !/[a-z0-9]/.test(word[0]!);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at > 0 && !anywhere && isInWord(text, at - 1)) continue;
    found.push(at);
    if (found.length === most) break;
  }
  return found;
}

function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128)
    return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  return /[\p{L}\p{N}]/u.test(text[at]!);
}

/** The same where the text writes the words otherwise than they are compared, as with accents. */
function folded(text: string, words: string[]): { at: number; which: number }[] {
  const found: { at: number; which: number }[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const run = fold(match[0]);
    const which = words.findIndex((word) => run.includes(word));
    if (which >= 0) found.push({ at: match.index, which });
  }
  return found;
}

/** The beginning of the next word, so that a cut goes through none; a script without spaces is cut anywhere. */
function boundary(text: string, at: number): number {
  const next = text.slice(at, at + 30).search(/\s/);
  const start = next < 0 ? at : at + next + 1;
  return isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
}

/** The end of the last word before. */
function end(text: string, at: number): number {
  const last = text.slice(at - 30, at + 1).search(/\s\S*$/);
  const until = last < 0 ? at : at - 30 + last;
  return isLowSurrogate(text.charCodeAt(until)) ? until - 1 : until;
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
