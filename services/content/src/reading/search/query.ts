import { fold } from "../../lexemes/fold.js";
import { pairsOf, type Run, runsOf, segmentsOf, spellable, titleOf } from "../../lexemes/tokens.js";
import { withoutPrefixes } from "../../lexemes/without-prefixes.js";

export interface Lexeme {
  text: string;
  /** It may be the beginning of a word only. */
  prefix?: boolean;
}

/** Something that a page has to hold: one of several forms, each of them lexemes that stand one after the other. */
export interface Term {
  forms: Lexeme[][];
  /** The word to look for typing mistakes in, where there can be one. */
  word?: string;
  unfinished?: boolean;
  /** It stands in quotes: no page is found without it. */
  exact?: true;
}

/** Lexemes at their positions, which have to stand like that in one section. */
export type Phrase = (Lexeme & { at: number })[];

export interface Query {
  terms: Term[];
  /** What stands in quotes. */
  phrases: Phrase[];
  /** The whole query as one phrase, if it has several words: not needed, but better. */
  whole?: Phrase;
  /** The words, as the whole of a title is indexed. */
  title: string;
  /** The words as they are looked for in a text, to cut an excerpt around them. */
  words: string[];
}

const QUOTES = /[\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02]/g;
/** Characters between Chinese and Japanese words that are in every text, and no pair of them in all. */
const PARTICLE = /^(?:\p{Script=Hiragana}|[的了是在和與与之及])$/u;

/** Places that a half typed word is cut at. */
const MOST_CUTS = 16;

/**
 * Reads what a reader asks for: the words, the last one as a beginning (it may be half typed), and what stands in
 * quotes word by word. Undefined when there is no word. Nothing is an error: a quote without its
 * partner counts as a space.
 */
export function readQuery(text: string): Query | undefined {
  const plain = fold(text.replace(QUOTES, '"'));
  const quotedRuns = [...plain.matchAll(/"([^"]*)"/g)].map(([, quote]) => runsOf(quote!));
  const loose = plain.replace(/"[^"]*"/g, " ");
  const looseRuns = runsOf(loose);
  const all = runsOf(plain);
  if (all.length === 0) return undefined;
  const unfinished = looseRuns.length > 0 && /[\p{L}\p{N}\p{M}]$/u.test(plain);
  const terms = [
    ...quotedRuns.flat().flatMap(exactTerms),
    ...looseRuns.flatMap((run, at) => termsOf(run, unfinished && at === looseRuns.length - 1)),
  ];
  // One letter after others says too little to look for all words that begin with it.
  if (terms.length > 1 && looseRuns.at(-1)?.text.length === 1 && unfinished) terms.pop();
  const whole = phraseOf(all, unfinished);
  return {
    terms: [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()],
    phrases: quotedRuns.map((runs) => phraseOf(runs, false)).filter((phrase) => phrase.length > 1),
    ...(whole.length > 1 && { whole }),
    title: titleOf(plain),
    words: all.flatMap(({ kind, text }) => (kind === "spaced" ? text : segmentsOf(text))),
  };
}

function exactTerms({ kind, text }: Run): Term[] {
  const exact = (...form: Lexeme[]): Term => ({ forms: [form], exact: true });
  if (kind === "paired") return [exact(...inPairs(text))];
  if (kind === "segmented") return segmentsOf(text).map((text) => exact({ text }));
  return [exact({ text })];
}

function termsOf({ kind, text }: Run, unfinished: boolean): Term[] {
  if (kind === "paired") return pairedTerms(text);
  if (kind === "segmented") return segmentedTerms(text, unfinished);
  const prefix = unfinished && { prefix: true };
  const forms = [text, ...withoutPrefixes(text, unfinished ? 1 : 3)].map((text) => [{ text, ...prefix }]);
  return [{ forms, ...(spellable(text) && { word: text, unfinished }) }];
}

const inPairs = (text: string): Lexeme[] => {
  const pairs = pairsOf(text);
  return pairs.length > 0 ? pairs.map((text) => ({ text })) : [{ text, prefix: true }];
};

/**
 * The words in a run of Chinese, Japanese or Korean may stand apart in a text. Characters that the dictionary leaves
 * alone are one word with those beside them, or with a neighbour.
 */
function pairedTerms(run: string): Term[] {
  const pieces: string[] = [];
  let before = "";
  let alone = "";
  const close = (next = "") => {
    const whole = [...alone].length > 1 || (before === "" && next === "");
    const [last = ""] = [...before].slice(-1);
    if (alone !== "") pieces.push(whole ? alone : last === "" ? alone + [...next][0]! : last + alone);
    alone = "";
  };
  for (const segment of segmentsOf(run)) {
    if ([...segment].length === 1 && !PARTICLE.test(segment)) alone += segment;
    else {
      close(PARTICLE.test(segment) ? "" : segment);
      if (!PARTICLE.test(segment)) pieces.push(segment);
      before = PARTICLE.test(segment) ? "" : segment;
    }
  }
  close();
  return (pieces.length > 0 ? pieces : [run]).map((piece) => ({ forms: [inPairs(piece)] }));
}

/**
 * A word that is half typed is taken apart differently: then the last piece may as well be a word and the beginning of
 * another one, wherever it is cut.
 */
function segmentedTerms(run: string, unfinished: boolean): Term[] {
  const segments = segmentsOf(run);
  const exact = (text: string): Term => ({ forms: [[{ text }]] });
  if (!unfinished) return segments.map(exact);
  const last = segments.pop()!;
  const forms: Lexeme[][] = [[{ text: last, prefix: true }]];
  for (let at = 1; at < Math.min(last.length, MOST_CUTS); at += 1) {
    const rest = last.slice(at);
    if (/^\p{L}/u.test(rest)) forms.push([{ text: last.slice(0, at) }, { text: rest, prefix: true }]);
  }
  return [...segments.map(exact), { forms }];
}

function phraseOf(runs: Run[], unfinished: boolean): Phrase {
  const phrase: Phrase = [];
  let at = 0;
  for (const [index, { kind, text }] of runs.entries()) {
    const last = unfinished && index === runs.length - 1;
    if (kind === "paired") {
      // A run takes as many places as it has characters, in the index too.
      for (const [offset, lexeme] of inPairs(text).entries()) phrase.push({ ...lexeme, at: at + offset + 1 });
      at += [...text].length;
    } else {
      const words = kind === "spaced" ? [text] : segmentsOf(text);
      for (const [offset, word] of words.entries())
        phrase.push({ text: word, at: ++at, ...(last && offset === words.length - 1 && { prefix: true }) });
    }
  }
  return phrase;
}
