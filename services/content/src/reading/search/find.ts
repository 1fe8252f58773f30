import { type AncestorsOf, ancestorsIn } from "../../search-index/page-parts.js";
import type { Ctx } from "../../trpc.js";
import { areCommon, rememberCommon } from "./common-terms.js";
import { fewerTermsTiers } from "./fewer-terms.js";
import { type FoundPage, findBest, findPages, MOST_PAGES } from "./find-pages.js";
import { type Query, readQuery } from "./query.js";
import { type PageHit, ranked } from "./rank.js";
import { type Scope, severalIn } from "./scope.js";
import { corrected } from "./spelling.js";
import { pageQueries, phraseInSection, sectionQueries } from "./tsquery.js";

export interface Result {
  query: Query;
  /** The first pages, best first. */
  pages: PageHit[];
  /** How many pages there are, up to a bound. */
  total: number;
  /** Titles of their spaces, where several are searched. */
  titles: ReadonlyMap<string, string | null>;
  /** What is above each of them, where they are few. */
  ancestorsOf?: AncestorsOf;
  /** The same as a visitor is shown it, whom the words of others are kept from. */
  redacted?: AncestorsOf;
}

/**
 * Finds the first pages that hold what a query asks for, best first. When none does, words that may be mistyped stand
 * for those of the scope that are one mistake away, then two. When no page holds all of these either, pages that hold
 * some of the words are found, those with most of them first. Undefined when the query holds no word.
 */
export async function find(
  ctx: Ctx,
  scope: Scope,
  text: string,
  first = Infinity,
): Promise<Result | undefined> {
  const query = readQuery(text);
  if (!query) return undefined;
  let result = await search(ctx, scope, query, first);
  if (result.total > 0) return result;
  for await (const other of corrections(ctx, scope, query)) {
    result = await search(ctx, scope, other, first);
    if (result.total > 0) return result;
  }
  return findFewerTerms(ctx, scope, result.query, first);
}

/** The query with words of the scope that are one mistake away from its own, then two. */
async function* corrections(ctx: Ctx, scope: Scope, query: Query): AsyncGenerator<Query> {
  if (query.terms.every(({ word }) => word === undefined)) return;
  for (const mistakes of [1, 2]) {
    const other = await corrected(ctx, scope, query, mistakes);
    if (other) yield other;
  }
}

/** Pages that hold some of the terms of a query. */
async function findFewerTerms(ctx: Ctx, scope: Scope, query: Query, first: number): Promise<Result> {
  const tiers = fewerTermsTiers(query, scope);
  const asked = {
    tiers,
    phrases: query.phrases.map(phraseInSection),
    sections: sectionQueries(query),
    first,
  };
  const found = tiers.length === 0 ? [] : await findBest(ctx, asked, severalIn(scope));
  return resultOf(query, found);
}

async function search(ctx: Ctx, scope: Scope, query: Query, first: number): Promise<Result> {
  const where = "space" in scope ? scope.space : scope.organization;
  const asked = {
    ...pageQueries(query, scope),
    phrases: query.phrases.map(phraseInSection),
    sections: sectionQueries(query),
    many: areCommon(ctx, where, query),
    first,
  };
  const result = resultOf(query, await findPages(ctx, asked, severalIn(scope)));
  if (result.total === MOST_PAGES) rememberCommon(ctx, where, query);
  return result;
}

function resultOf(query: Query, found: FoundPage[]): Result {
  const { total = 0, above = null } = found[0] ?? {};
  const titles = new Map(found.map(({ space, title }) => [space, title]));
  return { query, pages: ranked(found), total, titles, ...(above && { ancestorsOf: ancestorsIn(above) }) };
}
