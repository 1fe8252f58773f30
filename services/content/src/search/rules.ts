import { allowIn } from "@octavo/shared/access";
import { badCursor, decodeCursor, encodeCursor } from "@octavo/shared/paginate";
import { sightOf } from "../access/visible.js";
import { derivedOnce } from "../content/cache.js";
import { type Scope, scopeOf } from "../content/scope.js";
import type { Call, Ctx } from "../trpc.js";
import { find, type Result } from "./find.js";
import { grouped } from "./grouped.js";
import * as queries from "./queries.js";
import { keyOf } from "./queries.js";
import { type PageHit, withSections } from "./rank.js";
import type { InOrganization, InSpace } from "./schema.js";
import { pageResult } from "./view.js";

interface Listing {
  page?: string;
  limit: number;
}

/** Pages of an organization's space that a result shows; there are more in the search of that space. */
const PAGES_OF_SPACE = 10;

/** Pages of a space that hold the words, best first, each with the sections that do. What many search for is found once. */
export async function inSpace({ ctx, input }: Call<typeof InSpace>) {
  const scope = await scopeOf(ctx, { spaceId: input.spaceId });
  const { query, page, limit } = input;
  return derivedOnce(ctx, scope, {
    key: JSON.stringify(["search", query, page, limit]),
    make: () => findInSpace(ctx, scope, input),
    sizeOf: ({ items }) => items.reduce((sum, { sections }) => sum + 600 + sections.length * 1_200, 600),
  });
}

async function findInSpace(ctx: Ctx, { space, organization }: Scope, input: Listing & { query: string }) {
  const result = await find(ctx, { space, organization }, input.query);
  const { items: hits, ...list } = slice(result?.pages ?? [], input);
  const pages = await pageResults(ctx, result, hits);
  return { ...list, items: hits.flatMap((hit) => pages.get(keyOf(hit)) ?? []) };
}

/** The same over all spaces of an organization that the caller may read, grouped by space. */
export async function inOrganization({ ctx, input }: Call<typeof InOrganization>) {
  const organization = input.organizationId;
  allowIn(ctx, organization, "guest");
  const { spaces: readable } = await sightOf(ctx, organization);
  const result = await find(ctx, { organization, readable }, input.query);
  const groups = [...grouped(result?.pages ?? [], ({ space }) => space).values()];
  const { items: found, ...list } = slice(groups, input);
  const shown = found.map((pages) => pages.slice(0, PAGES_OF_SPACE));
  const [titles, pages] = await Promise.all([
    queries.titlesOf(
      ctx,
      shown.map(([first]) => first!.space),
    ),
    pageResults(ctx, result, shown.flat()),
  ]);

  const items = shown.map((hits) => {
    const { space } = hits[0]!;
    return {
      id: space,
      title: titles.get(space)!,
      pages: hits.flatMap((hit) => pages.get(keyOf(hit)) ?? []),
    };
  });
  return { ...list, items };
}

/** What the pages that were found show, by their keys. */
async function pageResults(ctx: Ctx, result: Result | undefined, pages: PageHit[]) {
  const results = new Map<string, ReturnType<typeof pageResult>>();
  if (!result) return results;
  const hits = await withSections(ctx, result.query, pages);
  const [lines, texts] = await Promise.all([
    queries.linesAcross(ctx, hits),
    queries.textsOf(
      ctx,
      hits.flatMap(({ sections }) => sections.filter(({ body }) => body === null)),
    ),
  ]);
  const byPage = grouped(texts, keyOf);
  for (const hit of hits) {
    const key = keyOf(hit);
    const line = lines.get(key);
    if (line) results.set(key, pageResult(ctx.urls, hit, line, byPage.get(key) ?? [], result.query));
  }
  return results;
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
