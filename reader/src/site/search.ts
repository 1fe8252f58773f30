import { createUpstreamCache } from "../cache/upstream-cache.js";
import type { SiteContext } from "./context.js";
import { pathOf } from "./find.js";
import { LONGEST_QUERY } from "./limits.js";
import { encodedPath } from "./links.js";
import type { Visitor } from "./upstreams.js";

type SearchResult = Awaited<ReturnType<Visitor["sites"]["search"]["search"]["query"]>>;

/** A page that was found. */
export interface FoundPage {
  title: string;
  href: string;
  /** Its address for everybody. */
  canonical: string;
  /** The space that it is in, where that is not the one that is shown, and what it lies in there. */
  above: string[];
  /** What stands before its first heading, when it was found there. */
  body?: string;
  sections: { title: string; href: string; body: string }[];
}

const SPACES = 20;
const cache = createUpstreamCache<SearchResult>({ max: 100, fresh: 10_000, stale: 10 * 60_000 });

/** The words that are looked for: without control characters, no longer than is looked for. */
export const queryIn = (parameters: URLSearchParams): string =>
  [...(parameters.get("q") ?? "")]
    .slice(0, LONGEST_QUERY)
    .join("")
    .replace(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim();

/**
 * The pages of a site that hold the words, best first, as the visitor sees them: of the space that is shown alone, or of
 * all sections; none hold no words. What is asked again within seconds is not looked for again.
 */
export async function searchSite(
  { place, site, space }: SiteContext,
  query: string,
  within: "section" | "site",
): Promise<FoundPage[]> {
  if (query === "") return [];
  const { visitor, organization: organizationId, site: siteId, siteSpace } = place;
  const scope =
    within === "section"
      ? { mode: "specific" as const, siteSpaceIds: [siteSpace] }
      : { mode: "default" as const, includedSiteSpaces: [siteSpace] };
  const key = JSON.stringify([visitor.caller.token, site.version, query, scope]);
  const { items } = await cache.get(key, () =>
    visitor.patient.sites.search.search.query({ organizationId, siteId, query, scope, limit: SPACES }),
  );
  return items.flatMap(({ id, title, pages }) => {
    const here = { href: place.base, canonical: place.canonical };
    const at = id === place.space ? here : site.spaces.find((one) => one.space === id);
    if (!at) return [];
    const named = id === place.space ? [] : [title];
    return pages.flatMap((page) => {
      const entry = id === place.space ? space.byId.get(page.id) : undefined;
      if (id === place.space && (!entry || entry.hidden)) return [];
      const path = encodedPath(entry ? pathOf(space, entry) : page.path);
      const [href, canonical] = [at.href + path, at.canonical + path];
      const above = [...named, ...page.ancestors.map(({ title }) => title)];
      const all = page.sections ?? [];
      const body = all.find((section) => section.id === page.id)?.body;
      const sections = all
        .filter((section) => section.id !== page.id)
        .map(({ id, title, body }) => ({ title, href: `${href}#${encodeURIComponent(id)}`, body }));
      return [{ title: page.title, href, canonical, above, ...(body && { body }), sections }];
    });
  });
}
