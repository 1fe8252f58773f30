import { sections } from "@octavo/markdown/source/sections";
import { hasConditions, withoutHidden } from "@octavo/markdown/text/hidden-text";
import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { anyOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import { shownTo } from "../../access/visibility.js";
import { isVisibleWithAncestors } from "../../pages/published.js";
import { textAsMarkdown } from "../../pages/rendering.js";
import { readCached } from "../../revisions/cached.js";
import { fold } from "../../search-index/fold.js";
import { keyOf, type PageKey } from "../../search-index/page-parts.js";
import type { PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { type PageRow, pageById, sizeOfPage } from "../content/queries.js";
import { excerptOf } from "./excerpt.js";
import { find } from "./find.js";
import { grouped } from "./grouped.js";
import * as queries from "./queries.js";
import type { Query } from "./query.js";
import { PAGES_OF_SPACE, pageResults } from "./results.js";
import { pageResultWithAncestors } from "./view.js";

// The index holds what everybody may be shown of a page, so what it finds for a visitor is held against the page as that
// visitor sees it: nobody learns by searching what stands in a condition that they do not meet.

/** Pages that are looked at for a visitor: the best ones, of which some may not be theirs. */
const MOST_LOOKED_AT = 24;

/** The condition on `space` that holds for those of the spaces that the visitor's site shows the visitor. */
const shownSpaces = (caller: ReaderCaller, ids: string[]): RawBuilder<boolean> =>
  sql<boolean>`(space.id = ${anyOf(ids)} and space.deleted_at is null and ${shownTo(caller)} <= ${caller.epoch})`;

interface Asked {
  organizationId: string;
  spaces: string[];
  query: string;
  limit: number;
}

/** Searches spaces as a visitor of a site: of those that the site shows, the best pages as the visitor sees them. */
export async function findAsVisitor(ctx: Ctx, caller: ReaderCaller, asked: Asked) {
  const { organizationId: organization, spaces: ids, query, limit } = asked;
  if (caller.organization !== organization) return { items: [], count: 0 };
  const scope = { organization, condition: shownSpaces(caller, ids) };
  const result = await find(ctx, scope, query, MOST_LOOKED_AT);
  const hits = (result?.pages ?? []).slice(0, MOST_LOOKED_AT);
  const found = await pageResults(ctx, result, hits, pageResultWithAncestors);
  const pages = await Promise.all(
    hits.map(async (hit) => {
      const page = found.get(keyOf(hit));
      const shown = page && (await asVisitor(ctx, hit, page, result!.query));
      return shown ? [{ space: hit.space, shown }] : [];
    }),
  );
  const groups = [...grouped(pages.flat(), ({ space }) => space).entries()].slice(0, limit);
  const titles = await queries.titlesOf(
    ctx,
    groups.map(([space]) => space),
  );
  const items = groups.map(([id, of]) => ({
    ...{ id, title: titles.get(id)! },
    pages: of.slice(0, PAGES_OF_SPACE).map(({ shown }) => shown),
  }));
  return { items, count: items.length };
}

interface Shown {
  id: string;
  title: string;
  path: string;
  ancestors: { id: string; title: string }[];
  sections: { id: string; title: string; path: string; body: string; urls: { app: string } }[];
  urls: { app: string };
}

/** A page that was found, as the visitor is shown it; undefined when the words stand in nothing of that. */
async function asVisitor<Page extends Shown>(
  ctx: Ctx,
  { space, page }: PageKey,
  found: Page,
  { words }: Query,
): Promise<Page | undefined> {
  const { scope, part } = await readCached(ctx, { spaceId: space }, "space.view", {
    ...{ name: "page", part: pageById, args: { page }, sizeOf: sizeOfPage },
  });
  if (!isThere(part) || !(await isVisibleWithAncestors(ctx, scope, [part, ...(part.above ?? [])])))
    return undefined;
  const named = {
    ...found,
    title: titleOf(found.title),
    ancestors: found.ancestors.map(({ id, title }) => ({ id, title: titleOf(title) })),
  };
  const markdown = part.markdown ?? "";
  if (!hasConditions(markdown) && !hasConditions(part.title)) return named;
  const { variables } = part.props;
  const source = {
    version: scope.version,
    title: named.title,
    markdown,
    variables,
    evaluated: "true" as const,
  };
  const texts = sections(await textAsMarkdown(ctx, scope, source));
  const holds = (text: string) => words.some((word) => fold(text).includes(word));
  const kept = found.sections.flatMap((one) => {
    const text = texts.find(({ anchor }) => (anchor ?? found.id) === one.id);
    if (!text || !holds(`${text.title} ${text.text}`)) return [];
    return [{ ...one, title: text.title, body: excerptOf(text.text, words) }];
  });
  return kept.length > 0 || holds(named.title) ? { ...named, sections: kept } : undefined;
}

const isThere = (part: PageRow): part is PageRow & PageEntry => part.id !== null;
const titleOf = (title: string): string => withoutHidden(title) || "Untitled";
