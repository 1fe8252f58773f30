import type { RawBuilder } from "kysely";
import type { Ctx } from "../trpc.js";
import { organizationTerm, spaceTerm } from "./lexemes.js";
import { findPages, readableSpaces } from "./queries.js";
import { type Query, readQuery } from "./query.js";
import { type PageHit, ranked } from "./rank.js";
import { corrected } from "./spelling.js";
import { phraseInSection, tiersOf } from "./tsquery.js";

/** What is searched: a space, or what of an organization the caller may read (the condition on `space`). */
export type Scope = { organization: string } & ({ space: string } | { readable: RawBuilder<boolean> });

export interface Result {
  query: Query;
  /** Best first; all of them, up to a bound. */
  pages: PageHit[];
}

/**
 * The pages that hold what a query asks for, best first. When none does, words that may be mistyped stand for those of
 * the scope that are one mistake away, then two. Undefined when the query holds no word.
 */
export async function find(ctx: Ctx, scope: Scope, text: string): Promise<Result | undefined> {
  const query = readQuery(text);
  if (!query) return undefined;
  const pages = await search(ctx, scope, query);
  return pages.length > 0 ? { query, pages } : await findCorrected(ctx, scope, query);
}

async function findCorrected(ctx: Ctx, scope: Scope, query: Query): Promise<Result> {
  if (query.terms.some(({ word }) => word !== undefined)) {
    const spaces =
      "space" in scope ? [scope.space] : await readableSpaces(ctx, scope.organization, scope.readable);
    for (const mistakes of [1, 2]) {
      const other = await corrected(ctx, spaces, query, mistakes);
      const pages = other ? await search(ctx, scope, other) : [];
      if (other && pages.length > 0) return { query: other, pages };
    }
  }
  return { query, pages: [] };
}

async function search(ctx: Ctx, scope: Scope, query: Query): Promise<PageHit[]> {
  const { organization } = scope;
  const term = "space" in scope ? spaceTerm(scope.space) : organizationTerm(organization);
  const found = await findPages(ctx, {
    tiers: tiersOf(query, organization, term),
    phrases: query.phrases.map(phraseInSection),
    ...("readable" in scope && { readable: scope.readable }),
  });
  const pages = found.flatMap(({ tier, space, pages }) =>
    pages.map((page) => ({ tier, space, page, sections: [] })),
  );
  return ranked(ctx, query, pages);
}
