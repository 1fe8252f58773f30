import { PLACES, type Place, prefixOf, quoted } from "./lexemes.js";
import type { Tiers } from "./queries.js";
import type { Lexeme, Phrase, Query, Term } from "./query.js";

const and = (parts: string[]) => parts.map((part) => `(${part})`).join(" & ");
const or = (parts: string[]) => parts.map((part) => `(${part})`).join(" | ");

/**
 * The queries for the pages of an organization, best first; none finds what the one before it does: the title is just
 * this; the title holds every word; title and headings do; one of several words is in them; the words are anywhere.
 */
export function tiersOf({ terms, title }: Query, organization: string, scope: string): Tiers {
  const prefix = prefixOf(organization);
  const at = (place: Place) => terms.map((term) => termAt(term, prefix, place));
  const [titles, headings, anywhere] = [and(at("inTitle")), at("inHeadings"), and(at("anywhere"))];
  const but = (tier: string, before: string) => `${quoted(scope)} & (${tier}) & !(${before})`;
  return [
    `${quoted(scope)} & ${quoted(prefix + PLACES.title + title)}`,
    but(titles, quoted(prefix + PLACES.title + title)),
    but(and(headings), titles),
    terms.length > 1 ? but(`(${anywhere}) & (${or(headings)})`, and(headings)) : null,
    but(anywhere, or(headings)),
  ];
}

const termAt = ({ forms }: Term, prefix: string, place: Place) =>
  or(forms.map((form) => and(form.map((lexeme) => lexemeAt(lexeme, prefix, place)))));

function lexemeAt({ text, prefix: open }: Lexeme, prefix: string, place: Place): string {
  // A single letter begins too many of the words that are anywhere.
  const unfinished = open && (place !== "anywhere" || text.length > 1 || !/[a-z]/.test(text));
  return `${quoted(prefix + PLACES[place] + text)}${unfinished ? ":*" : ""}`;
}

/** A term as it is looked for in one section. */
export const termInSection = ({ forms }: Term) => or(forms.map((form) => form.map(lexeme).join(" <-> ")));

/** Lexemes at their distances. */
export const phraseInSection = (phrase: Phrase) =>
  phrase.map((one, at) => `${at > 0 ? ` <${one.at - phrase[at - 1]!.at}> ` : ""}${lexeme(one)}`).join("");

/** Any of the terms. */
export const anyInSection = (terms: Term[]) => or(terms.map(termInSection));

const lexeme = ({ text, prefix }: Lexeme) => `${quoted(text)}${prefix ? ":*" : ""}`;
