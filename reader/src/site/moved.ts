import { createUpstreamCache } from "../cache/upstream-cache.js";
import { unlessRefused } from "../cache/upstream-errors.js";
import type { SiteContext } from "./context.js";
import { documentOf, pathOf, plainOf } from "./find.js";
import { encodedPath } from "./links.js";
import type { Place } from "./places.js";

// Where a path leads that a page of the space had before it was renamed or moved: content knows the history of its pages.

interface Located {
  pageId?: string;
}

/** Characters of a path that pages are looked for by. */
const MAX_PATH_LENGTH = 1_024;
/** A revision shows the same for good, but an import that finds it as it is may bring other redirects. */
const FRESH_MS = 60_000;
const cache = createUpstreamCache<Located>({ max: 2_000, fresh: FRESH_MS, stale: 10 * FRESH_MS });

interface MovedQuery extends Omit<SiteContext, "site"> {
  /** Below the base of the space, decoded. */
  path: string;
  query: string;
}

/**
 * Where a visitor is sent who asks for a path that a page had; undefined when none had it that the visitor is shown. The
 * query goes along, and so does the ending of a path that names markdown (`asFile`).
 */
export async function movedFrom(
  { place, space, path, query }: MovedQuery,
  { asFile }: { asFile: boolean },
): Promise<string | undefined> {
  const plain = plainOf(path);
  if (plain === "" || plain.length > MAX_PATH_LENGTH) return undefined;
  const { pageId } = await cache.get(JSON.stringify([space.key, plain.toLowerCase()]), () =>
    locate(place, plain),
  );
  const entry = pageId === undefined ? undefined : space.byId.get(pageId);
  const page = entry && documentOf(entry);
  if (!page) return undefined;
  // The first page is at the base, but for its markdown.
  const own = asFile ? `${encodedPath(page.path ?? "")}.md` : encodedPath(pathOf(space, page));
  return place.base + own + query;
}

async function locate(
  { visitor, space: spaceId, revision: revisionId }: Place,
  path: string,
): Promise<Located> {
  const asked = visitor.content.shownPages.locate.query({ spaceId, revisionId, path });
  return (await unlessRefused(asked)) ?? {};
}
