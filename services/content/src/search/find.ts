import type { Ctx } from "../trpc.js";
import { areCommon, rememberCommon } from "./common-terms.js";
import { findPages, MOST_PAGES, type Readable } from "./find-pages.js";
import { type LineOf, linesIn } from "./page-parts.js";
import { readableSpaces } from "./queries.js";
import { type Query, readQuery } from "./query.js";
import { type PageHit, ranked } from "./rank.js";
import { corrected } from "./spelling.js";
import { pageQueries, phraseInSection, sectionQueries } from "./tsquery.js";

/** What is searched: a space, or what of an organization the caller may read. */
export type Scope = { organization: string; space: string } | Readable;

export interface Result {
  query: Query;
  /** The first pages, best first. */
  pages: PageHit[];
  /** How many pages there are, up to a bound. */
  total: number;
  /** What is above each of them, where they are few. */
  lineOf?: LineOf;
}

/**
 * The first pages that hold what a query asks for, best first. When none does, words that may be mistyped stand for
 * those of the scope that are one mistake away, then two. Undefined when the query holds no word.
 */
export async function find(
  ctx: Ctx,
  scope: Scope,
  text: string,
  first = Infinity,
): Promise<Result | undefined> {
  const query = readQuery(text);
  if (!query) return undefined;
  const result = await search(ctx, scope, query, first);
  return (result.total === 0 && (await findCorrected(ctx, scope, query, first))) || result;
}

async function findCorrected(
  ctx: Ctx,
  scope: Scope,
  query: Query,
  first: number,
): Promise<Result | undefined> {
  if (query.terms.every(({ word }) => word === undefined)) return undefined;
  const spaces = "space" in scope ? [scope.space] : await readableSpaces(ctx, scope);
  for (const mistakes of [1, 2]) {
    const other = await corrected(ctx, spaces, query, mistakes);
    const result = other && (await search(ctx, scope, other, first));
    if (result && result.total > 0) return result;
  }
  return undefined;
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
  const found = await findPages(ctx, asked, "condition" in scope ? scope : undefined);
  const total = found[0]?.total ?? 0;
  if (total === MOST_PAGES) rememberCommon(ctx, where, query);
  const above = found[0]?.above;
  return { query, pages: ranked(found), total, ...(above && { lineOf: linesIn(above) }) };
}
