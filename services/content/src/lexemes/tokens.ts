import { characterAt, IS_MARK, KINDS, PAIR, SEGMENT, SPACED } from "./characters.js";
import { fold } from "./fold.js";
import { withoutPrefixes } from "./without-prefixes.js";

/** A lexeme of a text and its position; several at one position are forms of one word. */
export interface Token {
  text: string;
  at: number;
}

const WORD = /[\p{L}\p{N}]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** What is longer is cut on both sides; a lexeme of PostgreSQL holds at most 2 KB. */
const MAX_WORD = 200;
/** Letters that are looked up in the dictionary at a time. */
const MAX_STRETCH = 1000;

/** A stretch of letters of one kind of script. */
export interface Run {
  kind: "spaced" | "paired" | "segmented";
  text: string;
}

const NAMES: Record<number, Run["kind"]> = { [SPACED]: "spaced", [PAIR]: "paired", [SEGMENT]: "segmented" };

/** The runs of a text that is folded already. */
export function runsOf(folded: string): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < folded.length; ) {
    const start = at;
    const kind = characterAt(folded.codePointAt(at)!) & KINDS;
    let isWord = false;
    while (at < folded.length) {
      const code = folded.codePointAt(at)!;
      const character = characterAt(code);
      if ((character & KINDS) !== kind) break;
      isWord ||= (character & IS_MARK) === 0;
      at += code > 0xffff ? 2 : 1;
    }
    if (kind === 0 || !isWord) continue;
    const text = folded.slice(start, at);
    runs.push({ kind: NAMES[kind]!, text: kind === SPACED ? cut(text) : text });
  }
  return runs;
}

function cut(word: string): string {
  if (word.length <= MAX_WORD) return word;
  const high = (word.charCodeAt(MAX_WORD - 1) & 0xfc00) === 0xd800;
  return word.slice(0, high ? MAX_WORD - 1 : MAX_WORD);
}

/** The words that a dictionary finds in a run. It is handed a stretch at a time: its cost grows with the square of the text. */
export function segmentsOf(run: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < run.length; ) {
    const segments = Array.from(segmenter.segment(run.slice(at, at + MAX_STRETCH)), ({ segment }) => segment);
    // The last one may go on behind the stretch, and begins the next.
    if (at + MAX_STRETCH < run.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      at += segment.length;
      if (WORD.test(segment)) words.push(segment);
    }
  }
  return words;
}

/** Words that are remembered with what they are made of. */
const MOST_KNOWN = 5_000;
const parts = new Map<string, string[]>();

/** The words that a dictionary finds in a word alone: it may take it apart differently than between its neighbours. */
function partsOf(word: string): string[] {
  let known = parts.get(word);
  if (!known) {
    const found = segmentsOf(word);
    known = found.length > 1 ? found.map(cut) : [];
    if (parts.size >= MOST_KNOWN) parts.clear();
    // Copies: what was cut from a text keeps the whole text in memory.
    parts.set(copy(word), known.map(copy));
  }
  return known;
}

const copy = (text: string) => ` ${text}`.slice(1);

/** The pairs of neighbours in a run. */
export function pairsOf(run: string): string[] {
  const pairs: string[] = [];
  let first = 0;
  for (let second = after(run, 0); second < run.length; ) {
    const end = after(run, second);
    pairs.push(run.slice(first, end));
    [first, second] = [second, end];
  }
  return pairs;
}

/** Where the next character starts. */
const after = (run: string, at: number) => at + (run.codePointAt(at)! > 0xffff ? 2 : 1);

/** The lexemes of a text, folded, in their order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { kind, text: run } of runsOf(fold(text))) {
    if (kind === "spaced") {
      at += 1;
      tokens.push({ text: run, at });
      for (const form of withoutPrefixes(run)) tokens.push({ text: form, at });
    } else if (kind === "paired") {
      // The last character alone as well: it begins no pair.
      for (const pair of pairsOf(run)) tokens.push({ text: pair, at: ++at });
      tokens.push({ text: lastOf(run), at: ++at });
    } else {
      for (const segment of segmentsOf(run)) {
        at += 1;
        tokens.push({ text: cut(segment), at });
        for (const part of partsOf(segment)) tokens.push({ text: part, at });
      }
    }
  }
  return tokens;
}

const lastOf = (run: string) => (run.codePointAt(run.length - 2)! > 0xffff ? run.slice(-2) : run.slice(-1));

/** The words of a text that a typing mistake can be in: with spaces around them, and without digits. */
export const spellable = (word: string): boolean =>
  word.length >= 3 &&
  word.length <= 30 &&
  !/\p{N}/u.test(word) &&
  runsOf(word).every(({ kind }) => kind === "spaced");

/** The words of a title as one lexeme. */
export const titleOf = (folded: string) =>
  [
    ...runsOf(folded)
      .map(({ text }) => text)
      .join(" "),
  ]
    .slice(0, 200)
    .join("");
