import {
  OCCURRENCES,
  type Occurrence,
  organizationTerm,
  prefixOf,
  quoted,
  sampleTerm,
  spaceTerm,
} from "../../lexemes/lexemes.js";
import { COMPARED, type SectionQueries } from "../../search-index/page-parts.js";
import type { Lexeme, Phrase, Query, Term } from "./query.js";

export const and = (parts: string[]) => parts.map((part) => `(${part})`).join(" & ");
const or = (parts: string[]) => parts.map((part) => `(${part})`).join(" | ");

/** The pages of one tier, or of a part of it, as a query. */
export interface Tier {
  tier: number;
  query: string;
  /** Where no page is found by this, none is by the query, and that is known sooner. */
  guard?: string;
}

/** The queries for the pages of a space, or of an organization. */
export interface PageQueries {
  /** All pages that are found. */
  any: string;
  /** What a page holds that belongs to a tier or to one before, for all tiers but the last. What is null is no tier. */
  within: (string | null)[];
  /** Best first; none finds what one before it does. */
  tiers: Tier[];
}

/**
 * The tiers of pages: the title is just what is asked for; the title holds every word; title and headings do; one of
 * several words is in them; the words are anywhere. Of the last two, a sample of the pages comes first.
 */
export function pageQueries({ terms, title }: Query, searched: Searched): PageQueries {
  const { prefix, sample, inScope, termAt } = matcherOf(searched);
  const at = (place: Occurrence) => terms.map((term) => termAt(term, place));
  const whole = quoted(prefix + OCCURRENCES.title + title);
  const [titles, headings, anywhere] = [and(at("inTitle")), and(at("inHeadings")), and(at("anywhere"))];
  const some = terms.length > 1 ? or(at("inHeadings")) : null;
  const but = (query: string, ...before: string[]) =>
    `(${query})${before.map((other) => ` & !(${other})`).join("")}`;
  // The term of a sample says as well what it is a sample of, whose own term is in far more pages.
  const inSample = (query: string) => `${sample} & ${query}`;
  const sampled = (tier: number, query: string, guard?: string): Tier[] => [
    { tier, query: inSample(query), guard: guard && inSample(guard) },
    { tier, query: inScope(`!${sample} & ${query}`), guard: guard && inScope(guard) },
  ];
  return {
    // Whatever is in titles and headings is anywhere, but for what is looked for in them alone.
    any: inScope(but(or([whole, anywhere, ...(terms.some(isLetter) ? [headings] : [])]))),
    within: [whole, titles, headings, some],
    tiers: [
      { tier: 0, query: inScope(whole) },
      { tier: 1, query: inScope(but(titles, whole)) },
      { tier: 2, query: inScope(but(headings, whole, titles)) },
      ...(some ? sampled(3, but(`(${anywhere}) & (${some})`, whole, headings), `(${some})`) : []),
      ...sampled(4, but(anywhere, whole, some ?? headings)),
    ],
  };
}

/** What is searched: a space, or a whole organization. */
export interface Searched {
  organization: string;
  space?: string;
  /** The revisions at which spaces are searched, by the spaces, where that is not their primary content. */
  editions?: ReadonlyMap<string, string>;
}

/** Conditions on the pages of a space or an organization, as parts of a tsquery. */
export function matcherOf({ organization, space, editions = new Map() }: Searched) {
  const prefix = prefixOf(organization);
  const named =
    space === undefined ? organizationTerm(organization) : spaceTerm(editions.get(space) ?? space);
  const scopeTerm = named;
  const others = space === undefined ? [...editions.values()].map(spaceTerm) : [];
  const scope = others.length === 0 ? quoted(named) : or([named, ...others].map(quoted));
  return {
    prefix,
    /** Pages that are in the sample of the scope. */
    sample: quoted(sampleTerm(scopeTerm)),
    /** Pages of the scope that match a query. */
    inScope: (query: string) => `(${scope}) & ${query}`,
    /** Pages that hold a term at a place. */
    termAt: ({ forms }: Term, place: Occurrence) =>
      or(forms.map((form) => and(form.map((lexeme) => lexemeAt(lexeme, prefix, place))))),
  };
}

function lexemeAt(lexeme: Lexeme, prefix: string, place: Occurrence): string {
  const unfinished = lexeme.prefix && (place !== "anywhere" || !isOneLetter(lexeme));
  return `${quoted(prefix + OCCURRENCES[place] + lexeme.text)}${unfinished ? ":*" : ""}`;
}

/** A single letter begins too many of the words that are anywhere; it is looked for as a beginning in titles and headings alone. */
const isOneLetter = ({ text, prefix }: Lexeme) => prefix === true && /^[a-z]$/.test(text);
const isLetter = ({ forms }: Term) => forms.some((form) => form.some(isOneLetter));

/** What the sections of pages are compared by. */
export function sectionQueries({ terms, whole }: Query): SectionQueries {
  const each = terms.map(termInSection);
  return [or(each), whole ? phraseInSection(whole) : null, ...each.slice(0, COMPARED)];
}

const termInSection = ({ forms }: Term) => or(forms.map((form) => form.map(lexeme).join(" <-> ")));

/** Lexemes at their distances. */
export const phraseInSection = (phrase: Phrase) =>
  phrase.map((one, at) => `${at > 0 ? ` <${one.at - phrase[at - 1]!.at}> ` : ""}${lexeme(one)}`).join("");

const lexeme = ({ text, prefix }: Lexeme) => `${quoted(text)}${prefix ? ":*" : ""}`;
