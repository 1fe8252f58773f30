import { LRUCache } from "lru-cache";
import { createUpstreamCache } from "../cache/upstream-cache.js";
import { unlessRefused } from "../cache/upstream-errors.js";
import type { Mount } from "../http/mounts.js";
import { type Credentials, visitorKey } from "../http/visitor.js";
import type { Upstreams, Visitor } from "./upstreams.js";

// The one module that knows how an address becomes a site, a space and a revision: it asks sites, which made the address.

/** What a published site shows at an address. */
export interface Place {
  visitor: Visitor;
  organization: string;
  site: string;
  siteSection?: string;
  siteSpace: string;
  space: string;
  revision: string;
  /** The part of the path that was asked for that the site takes, and that the space takes; both end with a slash. */
  siteRoot: string;
  root: string;
  /**
   * What links to pages of the site and of the space begin with: these parts of the path, or whole addresses where another
   * host forwards to us.
   */
  siteBase: string;
  base: string;
  /** The addresses that the site and the space have for everybody, without the page. */
  siteCanonical: string;
  canonical: string;
  /**
   * Segments, decoded and in lower case, that may follow the root and lead to something else than this space; undefined
   * where sites, of the release before, does not say.
   */
  others: ReadonlySet<string> | undefined;
  /** Whether only whoever holds a key or proved something comes here. */
  isPrivate: boolean;
  /** The key that stands in the address, where the site is shared by one. */
  shareKey?: string;
}

/** Whether the site is read on another host, which forwards to us: links to it are whole addresses then. */
export const isReadElsewhere = ({ siteBase, siteRoot }: Place): boolean => siteBase !== siteRoot;

/** Where a visitor has to go instead. */
export interface Elsewhere {
  redirect: string;
}

export type Found = { place: Place } | { elsewhere: Elsewhere } | { nothing: true };

/** Segments behind the name of the site that may still be the site's: groups, sections, variants and a key. */
const MAX_SITE_SEGMENTS = 4;
/** Characters of a key that is remembered: a path below a site may be as long as somebody likes. */
const MAX_KEY_LENGTH = 1_024;
/** Folders above a path that may be the root of what was shown last. */
const MAX_FOLDERS = 12;
const OPTIONS = { max: 2_000, fresh: 1_500, stale: 10 * 60_000 };

export interface Places {
  /**
   * Resolves a path of a mount to a site, space and revision; throws when sites is away and nothing is cached. `again`
   * bypasses the cache.
   */
  at(mount: Mount, credentials: Credentials, again?: boolean): Promise<Found>;
  /**
   * What is likely shown at a path that nobody asked for lately: what the visitor was shown last nearby. Only for work that
   * is thrown away unless `at` finds the same; undefined where nothing is known, or `at` need not ask.
   */
  guess(mount: Mount, credentials: Credentials): Place | undefined;
  /** When what was found is asked for again. */
  freshUntil(found: Found): number;
}

/** Whether a space has a page at a path below its root, decoded, as far as that can be said at present. */
type HasPage = (place: Place, path: string) => Promise<boolean>;
type FoundPlace = Extract<Found, { place: Place }>;

/**
 * Creates the cache of what is published where. Sites is asked about each address that may be something else than a page
 * of what is shown nearby: a page of a space is there for as long as the space is.
 */
export function createPlaces(upstreams: Upstreams, hasPage: HasPage, now = Date.now): Places {
  const cache = createUpstreamCache<Found>(OPTIONS, now);
  const last = new LRUCache<string, FoundPlace>({ max: OPTIONS.max, ttl: OPTIONS.stale });
  const lastKey = (mount: Mount, credentials: Credentials, root: string) =>
    JSON.stringify([mount.origin, visitorKey(credentials), root]);

  /** What sites says of a part of a path, or said a moment ago. */
  function ask(mount: Mount, credentials: Credentials, { key, near }: Near, again = false): Promise<Found> {
    const load = () => resolve(upstreams, mount, near, credentials);
    return key.length > MAX_KEY_LENGTH ? load() : cache.get(key, load, again);
  }

  /** What the visitor was shown last at a folder above a path. */
  function lastShownAbove(mount: Mount, credentials: Credentials): FoundPlace | undefined {
    const { pathname } = mount.url;
    for (let end = pathname.length, tries = 0; end > 0 && tries < MAX_FOLDERS; tries += 1) {
      end = pathname.lastIndexOf("/", end - 1);
      const found = last.get(lastKey(mount, credentials, pathname.slice(0, end + 1)));
      if (found) return found;
    }
    return undefined;
  }

  /** What is shown at a path, found by the space that has a page there; undefined when that does not decide it. */
  async function ofPage(mount: Mount, credentials: Credentials): Promise<Found | undefined> {
    const known = lastShownAbove(mount, credentials);
    const path = known && pathBelow(known.place, mount);
    if (path === undefined || credentials.inAddress || !(await hasPage(known!.place, path))) return undefined;
    const found = await ask(mount, credentials, nearest(mount, credentials, known!.place.root));
    if (!("place" in found)) return undefined;
    last.set(lastKey(mount, credentials, found.place.root), found);
    const pathInFound = pathBelow(found.place, mount);
    const isThere = pathInFound !== undefined && (await hasPage(found.place, pathInFound));
    return isThere ? found : undefined;
  }

  return {
    freshUntil: cache.freshUntil,
    async at(mount, credentials, again = false) {
      const near = nearest(mount, credentials);
      if (!again && !cache.isFresh(near.key)) {
        // Where that fails, the address itself is asked for.
        const found = await ofPage(mount, credentials).catch(() => undefined);
        if (found) return found;
      }
      const found = await ask(mount, credentials, near, again);
      if ("place" in found) {
        last.set(lastKey(mount, credentials, found.place.root), found);
        cache.put(nearest(mount, credentials, found.place.root).key, found);
      }
      return found;
    },
    guess(mount, credentials) {
      if (cache.isFresh(nearest(mount, credentials).key)) return undefined;
      const known = lastShownAbove(mount, credentials)?.place;
      const isFresh = known !== undefined && cache.isFresh(nearest(mount, credentials, known.root).key);
      return isFresh && pathBelow(known, mount) !== undefined ? undefined : known;
    },
  };
}

/**
 * The part of the path of a mount below the root of a place, decoded; undefined where it may lead to something else. On a
 * host that forwards paths, others of them may be other sites.
 */
function pathBelow({ root, siteRoot, others }: Place, { url, isOwnHost }: Mount): string | undefined {
  if (!url.pathname.startsWith(root) || (isOwnHost && siteRoot !== "/")) return undefined;
  const path = decodedPath(url.pathname.slice(root.length));
  return path === undefined || !others || others.has(path.split("/", 1)[0]!.toLowerCase()) ? undefined : path;
}

/** A path with its segments decoded; undefined when it is none. */
export function decodedPath(path: string): string | undefined {
  try {
    return path.split("/").map(decodeURIComponent).join("/");
  } catch {
    return undefined;
  }
}

/** Slashes of which some are encoded: where a page finds our own files depends on how many real ones its address has. */
const SLASHES = /(?:\/|%2f)+/gi;

/** What would lead out of a site. */
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * The address that a path should have been written as: with the slash of the root, and no encoded ones below; undefined for
 * other paths.
 */
export function normalizedAddress({ base, root }: Place, { pathname, search }: URL): string | undefined {
  if (`${pathname}/` === root) return base + search;
  const path = pathname.slice(root.length);
  const plain = path.replace(SLASHES, "/");
  const isOther = pathname.startsWith(root) && plain !== path && !DOTS.test(plain);
  return isOther ? base + plain + search : undefined;
}

/** The part of an address that decides what is shown there, and what it is remembered by. */
interface Near {
  near: string;
  key: string;
}

function nearest(mount: Mount, credentials: Credentials, path = mount.url.pathname): Near {
  const depth = mount.base.split("/").filter(Boolean).length + (mount.isOwnHost ? 0 : 1) + MAX_SITE_SEGMENTS;
  const segments = path.split("/").filter(Boolean);
  const near = `${mount.origin}/${segments.slice(0, depth).join("/")}`;
  return { near, key: JSON.stringify([near, visitorKey(credentials), credentials.inAddress]) };
}

async function resolve(
  upstreams: Upstreams,
  mount: Mount,
  near: string,
  credentials: Credentials,
): Promise<Found> {
  const { nobody, visitor: as } = upstreams;
  const { jwt, preview, inAddress, claims, kept } = credentials;
  const url = preview === undefined ? near : `${near}?preview_token=${preview}`;
  const isUnknown = preview !== undefined || (jwt === undefined && claims === undefined);
  const visitor = isUnknown ? undefined : { jwtToken: jwt, unsignedClaims: claims };
  // A cookie that is over leads to where visitors sign in; an address that brings a bad JWT from there would lead in circles.
  const redirectOnError = !inAddress;
  const asked = nobody.sites.urls.find.query({ url, redirectOnError, ...(visitor && { visitor }) });
  const found = await unlessRefused(asked);
  // A cookie outlives a preview that is over, and the site may be there without it.
  if (!found && preview !== undefined && !inAddress)
    return resolve(upstreams, mount, near, { ...credentials, preview: undefined });
  if (!found) return { nothing: true };
  if ("redirect" in found) return { elsewhere: { redirect: found.redirect } };
  const reader = await as(found.apiToken);
  if (!reader) return { nothing: true };
  const { organization, site, siteSection, siteSpace, space, revision } = found;
  const { pathname, canonicalUrl, shareKey } = found;
  const { siteBasePath: siteRoot, basePath: root, others } = found;
  const canonical = canonicalUrl.slice(0, canonicalUrl.length - (pathname.length - 1));
  const siteCanonical = parentUrl(canonical, segmentsOf(root) - segmentsOf(siteRoot));
  // Of a JWT alone a site shows nothing else, unless it is for those alone who have one.
  const isKnown = preview !== undefined || reader.caller.claims !== undefined;
  const isForwarded = isForwardedTo(mount, site, parentUrl(siteCanonical, shareKey === undefined ? 0 : 1));
  return {
    place: {
      visitor: reader,
      organization,
      site,
      siteSection,
      siteSpace,
      space,
      revision,
      siteRoot,
      root,
      siteCanonical,
      canonical,
      siteBase: isForwarded ? siteCanonical : siteRoot,
      base: isForwarded ? canonical : root,
      others: others && new Set(others),
      // Nobody else may be sent a cookie that keeps what stands in an address.
      isPrivate: isKnown || shareKey !== undefined || kept !== undefined,
      shareKey,
    },
  };
}

/** Segments of a path that ends with a slash. */
const segmentsOf = (path: string): number => path.split("/").length - 2;

/** The address so many segments above one that ends with a slash. */
const parentUrl = (url: string, levels: number): string => new URL("../".repeat(levels) || "./", url).href;

/**
 * Whether a path below another host leads here: to the address of the site by its id, where that is published below such a
 * path. A proxy does not reliably report where a visitor came in, so links from here name that host.
 */
function isForwardedTo(mount: Mount, site: string, canonical: string): boolean {
  const { origin, pathname } = new URL(canonical);
  return !mount.isOwnHost && mount.name === site && origin !== mount.origin && pathname !== "/";
}
