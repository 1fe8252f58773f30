import { encodedPath } from "./links.js";
import type { Place } from "./places.js";
import { codeOf, createMemory } from "./remembered.js";
import type { Site } from "./site.js";

// Where a path of a site leads at which there is no page: sites knows the redirects, and what sections were called before.

interface Led {
  target: string | undefined;
}

/** Characters of a path that redirects are looked for. */
const LONGEST = 512;
const recall = createMemory<Led>({ max: 2_000, fresh: 1_500, stale: 10 * 60_000 });

interface Asked {
  place: Place;
  site: Site;
  /** Below the base of the space, decoded. */
  path: string;
  query: string;
}

/**
 * Where a visitor is sent who asks for a path without a page; undefined when no redirect stands for it. Within the site the
 * query goes along, and so does the ending of a path that names markdown (`asFile`). Neither goes to other hosts.
 */
export async function redirectFrom(
  { place, site, path, query }: Asked,
  asFile: boolean,
): Promise<string | undefined> {
  const below = place.root.slice(place.siteRoot.length - 1) + strictPath(asFile ? path.slice(0, -3) : path);
  const source = below.replace(/\/{2,}/g, "/");
  if (source === "/" || source.length > LONGEST) return undefined;
  const { visitor, organization: organizationId, site: siteId, shareKey } = place;
  const { target } = await recall(JSON.stringify([visitor.caller.token, site.version, source]), () =>
    visitor.sites.redirects.getBySource
      .query({ organizationId, siteId, source, shareKey })
      .catch((error: unknown): Led => {
        const code = codeOf(error);
        // A path that no redirect can have is refused.
        if (code !== "NOT_FOUND" && code !== "BAD_REQUEST") throw error;
        return { target: undefined };
      }),
  );
  if (target === undefined || !target.startsWith(place.siteCanonical)) return target;
  const within = target.slice(place.siteCanonical.length);
  const isPage = within !== "" && !/\/$|[?#]/.test(within);
  return place.siteBase + within + (asFile && isPage ? ".md" : "") + (/[?#]/.test(within) ? "" : query);
}

/** A path with all signs encoded that the paths of redirects do not have. */
const strictPath = (path: string): string =>
  encodedPath(path).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
