import type { Query, Term } from "./query.js";
import { and, matcherOf, type Searched, type Tier } from "./tsquery.js";

/** Terms of which some may be missing. Of a longer query the longest ones say most. */
const RELAXED_TERMS = 6;
/** Comes behind the tiers of pages that hold all terms. */
const FIRST_TIER = 5;

/**
 * The tiers of pages that hold some of the terms of a query, those with most terms first. Of equally many, pages with
 * one of them in the title or a heading come first. What stands in quotes is held by all of them. Empty when no term
 * may be missing.
 */
export function fewerTermsTiers(query: Query, searched: Searched): Tier[] {
  const required = query.terms.filter(({ exact }) => exact);
  const optional = longest(query.terms.filter(({ exact }) => !exact));
  const all = query.terms.length === required.length + optional.length;
  const { inScope, termAt } = matcherOf(searched);
  const fixed = required.map((term) => termAt(term, "anywhere"));
  const words = optional.map((term) => termAt(term, "anywhere"));
  const inHeadings = `(${optional.map((term) => termAt(term, "inHeadings")).join(" | ")})`;
  const tiers: Tier[] = [];
  // Pages with all terms of the query are found before, without these tiers.
  for (let held = all ? words.length - 1 : words.length; held > 0; held--) {
    const more = held < words.length ? [`!(${atLeast(held + 1, words)})`] : [];
    const some = and([...fixed, atLeast(held, words), ...more]);
    tiers.push(
      { tier: FIRST_TIER + tiers.length, query: inScope(`${some} & ${inHeadings}`) },
      { tier: FIRST_TIER + tiers.length + 1, query: inScope(`${some} & !${inHeadings}`) },
    );
  }
  return tiers;
}

function longest(terms: Term[]): Term[] {
  if (terms.length <= RELAXED_TERMS) return terms;
  const length = ({ forms }: Term) => forms[0]!.reduce((sum, { text }) => sum + text.length, 0);
  return [...terms].sort((a, b) => length(b) - length(a)).slice(0, RELAXED_TERMS);
}

/** A query for pages that match at least `count` of the conditions. */
function atLeast(count: number, conditions: string[]): string {
  if (count === 1) return conditions.join(" | ");
  if (count === conditions.length) return and(conditions);
  const [first, ...others] = conditions;
  return `${first} & (${atLeast(count - 1, others)}) | ${atLeast(count, others)}`;
}
