import { encodeCursor } from "@octavo/shared/contracts/cursor";
import { badCursor, decodeCursor } from "@octavo/shared/cursor";
import type { ResolvedTarget } from "../../revisions/target.js";
import { keyOf } from "../../search-index/page-parts.js";
import type { Ctx } from "../../trpc.js";
import { find, type Result } from "./find.js";
import { grouped } from "./grouped.js";
import * as queries from "./queries.js";
import { chosen, type PageHit } from "./rank.js";
import type { Scope } from "./scope.js";
import { sectionQueries } from "./tsquery.js";
import { pageResult } from "./view.js";
import { asShown } from "./visitors.js";

interface Listing {
  page?: string;
  limit: number;
}

/** Pages of an organization's space that a result shows; there are more in the search of that space. */
const PAGES_OF_SPACE = 10;

/** The pages of one space that hold the words, best first. */
export async function findInSpace(
  ctx: Ctx,
  { space, organization, version }: ResolvedTarget,
  input: Listing & { query: string },
) {
  const start = startOf(input);
  // At a revision that is pinned, that is what is searched.
  const editions = version.seq === undefined ? undefined : new Map([[space, version.revision]]);
  const scope = { space, organization, editions };
  const result = await findShown(ctx, scope, input.query, start + input.limit);
  const { items: hits, ...list } = slice(result?.pages ?? [], start, input.limit, result?.total ?? 0);
  return { ...list, items: [...(await pageResults(ctx, result, hits, pageResult)).values()] };
}

/** A view of a page that was found. */
type Show<Result> = (...given: Parameters<typeof pageResult>) => Result;

/** The pages of several spaces that hold the words, grouped by space: the space with the best page comes first. */
export async function findBySpace<Shown>(
  ctx: Ctx,
  scope: Scope,
  input: Listing & { query: string },
  show: Show<Shown>,
) {
  const start = startOf(input);
  const result = await findShown(ctx, scope, input.query, PAGES_OF_SPACE);
  const groups = [...grouped(result?.pages ?? [], ({ space }) => space).values()];
  const { items: found, ...list } = slice(groups, start, input.limit, groups.length);
  const shown = found.map((pages) => pages.slice(0, PAGES_OF_SPACE));
  const pages = await pageResults(ctx, result, shown.flat(), show);
  const titleOf = (space: string) => ("space" in scope ? scope.title : result?.titles.get(space)) ?? "";
  const items = shown.map((hits) => {
    const { space } = hits[0]!;
    return {
      id: space,
      title: titleOf(space),
      pages: hits.flatMap((hit) => pages.get(keyOf(hit)) ?? []),
    };
  });
  return { ...list, items };
}

async function findShown(...given: Parameters<typeof find>): Promise<Result | undefined> {
  const [ctx] = given;
  const result = await find(...given);
  return result && asShown(ctx, result);
}

/** What the pages that were found show, by their keys; those that are gone are left out. */
async function pageResults<Shown>(ctx: Ctx, result: Result | undefined, pages: PageHit[], show: Show<Shown>) {
  const results = new Map<string, Shown>();
  if (!result) return results;
  const behind = pages.filter(({ sections }) => !sections);
  const found = await queries.sectionsOf(ctx, behind, sectionQueries(result.query));
  const hits = pages.map((hit) => ({
    ...hit,
    sections: hit.sections ?? chosen(found.get(keyOf(hit)) ?? []),
  }));
  const { ancestorsOf, textOf } = await shownOf(ctx, result, hits);
  for (const hit of hits) {
    const line = ancestorsOf(hit);
    if (line) results.set(keyOf(hit), show(ctx.urls, hit, line, textOf, result.query));
  }
  return results;
}

/** What hits show besides: read now, or come along with few of them. */
async function shownOf(
  ctx: Ctx,
  { ancestorsOf, redacted }: Result,
  hits: Required<PageHit>[],
): Promise<queries.Shown> {
  if (ancestorsOf) return { ancestorsOf: redacted ?? ancestorsOf, textOf: () => undefined };
  const sections = hits.flatMap(({ space, page, sections }) =>
    sections.map(({ ordinal }) => ({ space, page, ordinal })),
  );
  const shown = await queries.shownOf(ctx, hits, sections);
  return redacted ? { ...shown, ancestorsOf: redacted } : shown;
}

const startOf = ({ page }: Listing): number => {
  const start = page === undefined ? 0 : Number(decodeCursor(page, 1)[0]);
  return Number.isSafeInteger(start) && start >= 0 ? start : badCursor();
};

/** One page of a ranked list. Its cursor is how far it was read: ranks change with every edit, so no key would hold. */
function slice<T>(all: T[], start: number, limit: number, count: number) {
  const items = all.slice(start, start + limit);
  const end = start + items.length;
  return { items, count, ...(items.length > 0 && end < count && { next: { page: encodeCursor([end]) } }) };
}
