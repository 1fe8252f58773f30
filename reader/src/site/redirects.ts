import { createUpstreamCache } from "../cache/upstream-cache.js";
import { unlessRefused } from "../cache/upstream-errors.js";
import { findPage } from "./find.js";
import { encodedPath } from "./links.js";
import { otherSpace } from "./other-spaces.js";
import { decodedPath, type Place } from "./places.js";
import type { Site, SiteSpaceLink } from "./site.js";
import type { Space } from "./space.js";

// Where a path of a site leads at which there is no page: sites knows the redirects, and what sections were called before.

interface Redirect {
  target?: string;
}

/** Characters of a path that redirects are looked for. */
const MAX_PATH_LENGTH = 512;
const cache = createUpstreamCache<Redirect>({ max: 2_000, fresh: 1_500, stale: 10 * 60_000 });

interface RedirectQuery {
  place: Place;
  site: Site;
  space: Space;
  /** Below the base of the space, decoded. */
  path: string;
  query: string;
}

/**
 * Where a visitor is sent who asks for a path without a page; undefined when no redirect stands for it. Within the site the
 * query goes along, and so does the ending of a path that names markdown (`asFile`). Neither goes to other hosts.
 */
export async function redirectFrom(
  { place, site, space, path, query }: RedirectQuery,
  { asFile }: { asFile: boolean },
): Promise<string | undefined> {
  const below = place.root.slice(place.siteRoot.length - 1) + strictPath(asFile ? path.slice(0, -3) : path);
  const source = below.replace(/\/{2,}/g, "/");
  if (source === "/" || source.length > MAX_PATH_LENGTH) return undefined;
  const { visitor, organization: organizationId, site: siteId, shareKey } = place;
  // The target has the key of the address, which the token is the same without.
  const key = JSON.stringify([visitor.caller.token, shareKey, site.version, source]);
  const { target } = await cache.get(key, async () => {
    const asked = visitor.sites.redirects.getBySource.query({ organizationId, siteId, source, shareKey });
    return (await unlessRefused(asked)) ?? {};
  });
  if (target === undefined || !target.startsWith(place.siteCanonical)) return target;
  const within = target.slice(place.siteCanonical.length);
  const isPage = within !== "" && !/\/$|[?#]/.test(within);
  if (asFile && isPage) return `${place.siteBase}${within}.md${query}`;
  const [, at = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(within)!;
  return ((await pageAddress({ place, site, space }, at)) ?? place.siteBase + at) + (rest || query);
}

/**
 * The address of the page that a path below the root of the site leads to, where it is another one: whoever was sent to the
 * path would be sent on from there.
 */
async function pageAddress(
  { place, site, space }: Pick<RedirectQuery, "place" | "site" | "space">,
  path: string,
): Promise<string | undefined> {
  const target = place.siteBase + path;
  const link = site.spaces.reduce<SiteSpaceLink | undefined>(
    (found, one) =>
      target.startsWith(one.href) && one.href.length > (found?.href.length ?? 0) ? one : found,
    undefined,
  );
  const below = link && decodedPath(target.slice(link.href.length));
  if (below === undefined) return undefined;
  const shown = link!.current ? space : await otherSpace(place, link!).catch(() => undefined);
  const at = shown && findPage(shown, below);
  return at && "moved" in at ? link!.href + encodedPath(at.moved) : undefined;
}

/** A path with all signs encoded that the paths of redirects do not have. */
const strictPath = (path: string): string =>
  encodedPath(path).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
