import { tokensOf } from "../../lexemes/tokens.js";
import type { Lexeme, Phrase, Term } from "./query.js";

/** The words of a stretch of text, as the index would have them, by the places at which they stand. */
export type Words = Map<string, number[]>;

/** Words between a heading and its text, so that no phrase goes from one into the other. */
const GAP = 10;

/** Reads the words of a heading and the text below it. */
export function wordsOf(title: string, text: string): Words {
  const words: Words = new Map();
  const head = tokensOf(title);
  const start = (head.at(-1)?.at ?? 0) + GAP;
  const put = (word: string, at: number) => {
    const places = words.get(word);
    if (places) places.push(at);
    else words.set(word, [at]);
  };
  for (const token of head) put(token.text, token.at);
  for (const token of tokensOf(text)) put(token.text, token.at + start);
  return words;
}

const placesOf = (words: Words, { text, prefix }: Lexeme): number[] =>
  prefix
    ? [...words].flatMap(([word, places]) => (word.startsWith(text) ? places : []))
    : (words.get(text) ?? []);

/** Whether a text holds a term in one of its forms. */
export const holdsTerm = (words: Words, { forms }: Term): boolean =>
  forms.some((form) => form.every((lexeme) => placesOf(words, lexeme).length > 0));

/** Whether a text holds a phrase: its words, one after the other. */
export function holdsPhrase(words: Words, phrase: Phrase): boolean {
  const [first, ...others] = phrase.map((lexeme) => ({
    at: lexeme.at,
    places: new Set(placesOf(words, lexeme)),
  }));
  if (!first) return true;
  return [...first.places].some((place) =>
    others.every(({ at, places }) => places.has(place + at - first.at)),
  );
}
