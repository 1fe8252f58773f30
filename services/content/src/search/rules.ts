import { allowIn } from "@octavo/shared/access";
import { badCursor, decodeCursor, encodeCursor } from "@octavo/shared/paginate";
import { sightOf } from "../access/visible.js";
import { scopeOf } from "../content/scope.js";
import { linesOf } from "../store/entries.js";
import type { Call, Ctx } from "../trpc.js";
import { excerptOf, queryWords } from "./excerpt.js";
import { findSections, type Hit, tsqueryOf } from "./find.js";
import { organizationTerm, spaceTerm } from "./index-pages.js";
import * as queries from "./queries.js";
import type { InOrganization, InSpace } from "./schema.js";
import { pageResult } from "./view.js";

interface Listing {
  page?: string;
  limit: number;
}

/** Pages of a space that hold the words, best first, each with the sections that do. */
export async function inSpace({ ctx, input }: Call<typeof InSpace>) {
  const { space } = await scopeOf(ctx, { spaceId: input.spaceId });
  const groups = grouped(await hits(ctx, spaceTerm(space), input.query), ({ page }) => page);
  const { items, ...list } = slice(groups, input);
  return { ...list, items: await pageResults(ctx, space, items, input.query) };
}

/** The same over all spaces of an organization that the caller may read, grouped by space. */
export async function inOrganization({ ctx, input }: Call<typeof InOrganization>) {
  allowIn(ctx, input.organizationId, "guest");
  const { spaces } = await sightOf(ctx, input.organizationId);
  const readable = await queries.readable(ctx, input.organizationId, spaces);
  const titles = new Map(readable.map(({ id, title }) => [id, title]));
  const found = await hits(ctx, organizationTerm(input.organizationId), input.query, [...titles.keys()]);
  const { items, ...list } = slice(
    grouped(found, ({ space }) => space),
    input,
  );
  const results = items.map(async (hits) => {
    const space = hits[0]!.space;
    const pages = grouped(hits, ({ page }) => page);
    return { id: space, title: titles.get(space)!, pages: await pageResults(ctx, space, pages, input.query) };
  });
  return { ...list, items: await Promise.all(results) };
}

async function hits(ctx: Ctx, scope: string, query: string, spaces?: string[]): Promise<Hit[]> {
  const tsquery = tsqueryOf(query);
  return tsquery === undefined || spaces?.length === 0 ? [] : findSections(ctx, scope, tsquery, spaces);
}

async function pageResults(ctx: Ctx, space: string, groups: Hit[][], query: string) {
  const pages = groups.map((hits) => hits[0]!.page);
  const lines = await linesOf(ctx, { space, branch: space, revision: "" }, pages);
  const words = queryWords(query);
  return groups.flatMap((hits) => {
    const line = lines.get(hits[0]!.page);
    return line ? pageResult(ctx.urls, space, line, hits, (text) => excerptOf(text, words)) : [];
  });
}

/** Groups in the order of their best hit; the hits are in the order of their rank. */
function grouped(hits: Hit[], keyOf: (hit: Hit) => string): Hit[][] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    const group = groups.get(keyOf(hit));
    if (group) group.push(hit);
    else groups.set(keyOf(hit), [hit]);
  }
  return [...groups.values()];
}

/** One page of a ranked list. Its cursor is how far it was read: ranks change with every edit, so no key would hold. */
function slice<T>(all: T[], { page, limit }: Listing) {
  const start = page === undefined ? 0 : Number(decodeCursor(page, 1)[0]);
  if (!Number.isSafeInteger(start) || start < 0) badCursor();
  const items = all.slice(start, start + limit);
  const end = start + items.length;
  return {
    items,
    count: all.length,
    ...(items.length > 0 && end < all.length && { next: { page: encodeCursor([end]) } }),
  };
}
