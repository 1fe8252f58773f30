import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "@octavo/html/page";
import type { Assets } from "../assets/assets.js";
import type { BodyCache } from "../cache/body-cache.js";
import type { RecentResponses } from "../cache/recent-responses.js";
import type { Drawing } from "../drawing/drawing.js";
import { type Body, sizeOf } from "../http/body.js";
import type { Mount } from "../http/mounts.js";
import { respond } from "../http/respond.js";
import type { Protocol } from "../mcp/protocol.js";
import type { Prerender } from "../pages/prerender.js";
import { customizationLinksOf } from "../pages/variants.js";
import type { ResponseContext, SiteContext } from "../site/context.js";
import { hashIn } from "../site/links.js";
import { createOptionalParts } from "../site/optional-parts.js";
import { decodedPath, isReadElsewhere, type Place } from "../site/places.js";
import { siteOf } from "../site/site.js";
import { spaceOf } from "../site/space.js";
import type { WholeSpaces } from "./whole-spaces.js";

/** The media type of pages. */
export const HTML = "text/html; charset=utf-8";
export const TEXT = "text/plain; charset=utf-8";
/** `Cache-Control` of what everybody is shown, until it changes. */
const REVALIDATED = "public, max-age=0, must-revalidate";
/** `Cache-Control` of what one visitor alone may be shown. */
export const NOT_STORED = "private, no-store";

/** A request with all that its response is made of. */
export interface PageRequest extends ResponseContext {
  req: IncomingMessage;
  res: ServerResponse;
  /** When what sites said of the address is asked for again. */
  freshUntil: number;
  assets: Assets;
  drawing: Drawing;
  /** Loads what the references of the customization lead to, once: the trees of other spaces, which only HTML shows. */
  customizationLinks: () => Promise<Page>;
  /** Below the base of the space, decoded. */
  path: string;
  query: string;
}

/** What requests share: what is kept of pages, what draws the next ones, what sends many at a time and speaks with programs. */
export interface ReaderState {
  bodies: BodyCache;
  recent: RecentResponses;
  prerender: Prerender;
  wholeSpaces: WholeSpaces;
  protocol: Protocol;
}

interface At {
  mount: Mount;
  assets: Assets;
  drawing: Drawing;
}

/** What a page at the address is made of; undefined when the path is not one of the place, or has encoded slashes. */
export async function requestAt(
  req: IncomingMessage,
  res: ServerResponse,
  { mount, assets, drawing }: At,
  place: Place,
  freshUntil: number,
): Promise<PageRequest | undefined> {
  const { pathname, search: query } = mount.url;
  const below = pathname.slice(place.root.length);
  const path = decodedPath(below);
  if (!pathname.startsWith(place.root) || path === undefined) return undefined;
  // The name of a file may have slashes of its own.
  if (/%2f/i.test(below) && hashIn(path) === undefined) return undefined;
  const [site, space] = await Promise.all([siteOf(place), spaceOf(place)]);
  const parts = createOptionalParts();
  let links: Promise<Page> | undefined;
  return {
    req,
    res,
    freshUntil,
    place,
    site,
    space,
    drawing,
    parts,
    path,
    query,
    assets: assets.below(assetsBase(mount, place)),
    customizationLinks() {
      links ??= customizationLinksOf({ place, site, space, parts });
      return links;
    },
  };
}

/**
 * Where pages find files of our own: below what is on the same host. On another host, which forwards a path of its own to
 * a site, that is the site itself, so they are named from where the page is.
 */
export function assetsBase({ base, url }: Mount, place: Place): string {
  if (!isReadElsewhere(place)) return base;
  return "../".repeat(url.pathname.slice(place.siteRoot.length).split("/").length - 1) || "./";
}

/** Whether everybody is shown the same. */
export const isPublic = ({ place, site }: SiteContext): boolean =>
  site.visibility === "public" && !place.isPrivate;
export const cacheOf = (context: SiteContext): string => (isPublic(context) ? REVALIDATED : NOT_STORED);

/** The key of a body: what is shown, to whom and at which address, and `of` what else it is made. */
export const bodyKey = ({ place, site, space }: SiteContext, ...of: unknown[]): string =>
  JSON.stringify([
    space.key,
    site.version,
    place.siteSpace,
    place.isPrivate,
    place.base,
    place.siteBase,
    place.canonical,
    place.siteCanonical,
    ...of,
  ]);

/** Sends a body that is kept under a key, and counts the form that was made of it meanwhile. */
export async function sendKept(
  { req, res }: PageRequest,
  bodies: BodyCache,
  { key, body, cache }: { key: string; body: Body; cache: string },
): Promise<void> {
  const size = sizeOf(body);
  await respond(req, res, body, cache);
  if (sizeOf(body) !== size) bodies.count(key, body);
}
