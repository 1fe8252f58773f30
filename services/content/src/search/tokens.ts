import { fold } from "./fold.js";
import { prefixless } from "./prefixless.js";

/** A lexeme of a text and its position; several at one position are forms of one word. */
export interface Token {
  text: string;
  at: number;
}

/** Scripts that are indexed by pairs of characters: any stretch of a text is then found, whatever a dictionary says. */
const PAIRED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\u30fc\u3005\u3006";
/** Scripts without spaces between words whose words a dictionary finds. */
const SEGMENTED = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const UNSPACED = new RegExp(`[${PAIRED}${SEGMENTED}]`, "u");
const RUN = new RegExp(`([${PAIRED}]+)|([${SEGMENTED}]+)|[^${PAIRED}${SEGMENTED}]+`, "gu");
const WORD = /[\p{L}\p{N}]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** What is longer is cut on both sides; a lexeme of PostgreSQL holds at most 2 KB. */
const MAX_WORD = 200;

/** A stretch of letters of one kind of script. */
export interface Run {
  kind: "spaced" | "paired" | "segmented";
  text: string;
}

/** The runs of a text that is folded already. */
export function runsOf(folded: string): Run[] {
  return folded
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => WORD.test(word))
    .flatMap((word) =>
      UNSPACED.test(word) ? splitRuns(word) : [{ kind: "spaced" as const, text: cut(word) }],
    );
}

const splitRuns = (word: string): Run[] =>
  [...word.matchAll(RUN)]
    .filter(([text]) => WORD.test(text))
    .map(([text, paired, segmented]) => {
      if (paired !== undefined) return { kind: "paired", text };
      return segmented === undefined ? { kind: "spaced", text: cut(text) } : { kind: "segmented", text };
    });

function cut(word: string): string {
  if (word.length <= MAX_WORD) return word;
  const high = (word.charCodeAt(MAX_WORD - 1) & 0xfc00) === 0xd800;
  return word.slice(0, high ? MAX_WORD - 1 : MAX_WORD);
}

/** The words that a dictionary finds in a run. A run is handed to it alone: its cost grows faster than the text. */
export const segmentsOf = (run: string): string[] =>
  Array.from(segmenter.segment(run), ({ segment }) => segment).filter((segment) => WORD.test(segment));

/** The pairs of neighbours in a run. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, at) => characters[at]! + character);
}

/** The lexemes of a text, folded, in their order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { kind, text: run } of runsOf(fold(text))) {
    if (kind === "spaced") {
      at += 1;
      tokens.push({ text: run, at });
      for (const form of prefixless(run)) tokens.push({ text: form, at });
    } else if (kind === "paired") {
      // The last character alone as well: it begins no pair.
      for (const pair of [...pairsOf(run), lastOf(run)]) tokens.push({ text: pair, at: ++at });
    } else {
      for (const segment of segmentsOf(run)) {
        at += 1;
        tokens.push({ text: cut(segment), at });
        // Alone, a word may be taken apart differently than between its neighbours.
        const alone = segmentsOf(segment);
        if (alone.length > 1) for (const part of alone) tokens.push({ text: cut(part), at });
      }
    }
  }
  return tokens;
}

const lastOf = (run: string) => [...run].at(-1)!;

/** The words of a text that a typing mistake can be in: with spaces around them, and without digits. */
export const spellable = (word: string): boolean =>
  word.length >= 3 && word.length <= 30 && !UNSPACED.test(word) && !/\p{N}/u.test(word);
