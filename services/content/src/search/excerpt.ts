import { wordsOf } from "./terms.js";

const LENGTH = 240;

/** The stretch of a text around the first of the words, with an ellipsis where it is cut. */
export function excerptOf(text: string, words: string[]): string {
  if (text.length <= LENGTH) return text;
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const start = boundary(text, Math.max(0, Math.min(...found, text.length) - LENGTH / 3));
  const from = found.length > 0 ? start : 0;
  const cut = text.slice(from, from + LENGTH).trim();
  return `${from > 0 ? "…" : ""}${cut}${from + LENGTH < text.length ? "…" : ""}`;
}

/** The beginning of the next word, so that a cut goes through none; a script without spaces is cut anywhere. */
function boundary(text: string, at: number): number {
  if (at === 0) return 0;
  const next = text.slice(at, at + 30).search(/\s/);
  const start = next < 0 ? at : at + next + 1;
  return isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/** The words of a query, as they are looked for in a text. */
export const queryWords = (query: string) => wordsOf(query);
