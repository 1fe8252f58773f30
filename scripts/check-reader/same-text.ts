import { textWithin } from "@octavo/html/testing/structure";

/** What stands in the main part of a page and is no text of it, and formulas, whose letters renderers write twice. */
const LEFT_OUT = new Set([
  "nav",
  "footer",
  "aside",
  "form",
  "button",
  "script",
  "style",
  "svg",
  "template",
  "math",
]);
/** Chinese characters are a word each: nothing stands between words. */
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

/** The words of a page that a renderer made, without what stands around its text. */
export const wordsOf = (html: string): string[] => textWithin(html, "main", LEFT_OUT).match(WORD) ?? [];

/** How many words two texts share, each as often as both have it, and how many they have. */
export interface Shared {
  both: number;
  one: number;
  other: number;
}

/** Counts the words that two texts share, wherever they stand: renderers put captions and titles in different places. */
export function sharedOf(one: readonly string[], other: readonly string[]): Shared {
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of one) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    both += 1;
  }
  return { both, one: one.length, other: other.length };
}

/** The part of the words of two texts that both have: 1 for the same words, 0 for none in common. */
export const partOf = ({ both, one, other }: Shared): number =>
  one + other === 0 ? 1 : (2 * both) / (one + other);
