// What is sent of a published site: its pages, its lists for machines, its files, and that there is nothing.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "@octavo/html/page";
import type { BodyCache } from "../cache/body-cache.js";
import type { RecentResponses } from "../cache/recent-responses.js";
import type { Drawing } from "../drawing/drawing.js";
import { llmsText, PAGES_MAP, pagesMapXml, robotsText, sitemapXml } from "../formats/lists.js";
import { markdownOf, wantsMarkdown } from "../formats/markdown.js";
import { notFoundHtml, pageHtml } from "../frame/page.js";
import { plainHtml } from "../frame/plain.js";
import { policyOf } from "../frame/policy.js";
import type { Assets } from "../http/assets.js";
import { type Body, bodyOf, sizeOf } from "../http/body.js";
import { redirect, respond } from "../http/respond.js";
import { lastsOf, loadPage } from "../pages/page.js";
import type { Prerender, Thread } from "../pages/prerender.js";
import { variantsOf } from "../pages/variants.js";
import { type AtPath, findPage, hasPage, nearest, pathOf } from "../site/find.js";
import { encodedPath } from "../site/links.js";
import { movedFrom } from "../site/moved.js";
import type { OptionalParts } from "../site/optional-parts.js";
import { isReadElsewhere, type Place } from "../site/places.js";
import { redirectFrom } from "../site/redirects.js";
import type { Site } from "../site/site.js";
import type { Entry, Space } from "../site/space.js";
import { wordsFor } from "../words/index.js";

/** The media type of pages. */
export const HTML = "text/html; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const XML = "application/xml";
const MARKDOWN = "text/markdown; charset=utf-8";
const PUBLIC = "public, max-age=0, must-revalidate";
/** `Cache-Control` of what one visitor alone may be shown. */
export const PRIVATE = "private, no-store";

/** A request with all that its response is made of. */
export interface PageRequest {
  req: IncomingMessage;
  res: ServerResponse;
  /** When what sites said of the address is asked for again. */
  freshUntil: number;
  place: Place;
  site: Site;
  space: Space;
  assets: Assets;
  drawing: Drawing;
  /** What the references of the customization lead to. */
  customizationLinks: Page;
  parts: OptionalParts;
  /** Below the base of the space, decoded. */
  path: string;
  query: string;
}

/** What is kept of pages, and what draws the next ones. */
export interface Keeps {
  bodies: BodyCache;
  recent: RecentResponses;
  prerender: Prerender;
}

/** Sends 404 without saying of which site, if of any. */
export function sendNothing(req: IncomingMessage, res: ServerResponse, assets: Assets): Promise<void> {
  const { language, words } = wordsFor(req.headers["accept-language"]);
  const text = plainHtml(assets, language, words.notFound, words.notFoundText);
  const headers = { "content-security-policy": policyOf() };
  return respond(req, res, bodyOf(text, { status: 404, type: HTML, headers }), PRIVATE);
}

/** Whether everybody is shown the same. */
export const isPublic = ({ place, site }: PageRequest): boolean =>
  site.visibility === "public" && !place.isPrivate;
export const cacheOf = (request: PageRequest): string => (isPublic(request) ? PUBLIC : PRIVATE);

/** Sends a list of all pages for machines; undefined when the path is none. */
export function sendList(request: PageRequest): Promise<void> | undefined {
  const list = listAt(request);
  return list && respond(request.req, request.res, bodyOf(list.text, { type: list.type }), cacheOf(request));
}

function listAt(request: PageRequest): { text: string; type: string } | undefined {
  const { path, place, site, space } = request;
  const listed = { place, site, space };
  if (path === "llms.txt") return { text: llmsText(listed), type: TEXT };
  if (path === "robots.txt") return { text: robotsText(listed), type: TEXT };
  if (!isPublic(request)) return undefined;
  if (path === "sitemap.xml") return { text: sitemapXml(listed), type: XML };
  return path === PAGES_MAP ? { text: pagesMapXml(listed), type: XML } : undefined;
}

interface Wanted {
  at: AtPath;
  page: Entry | undefined;
  /** Whether the path names markdown; `markdown` is true as well where the client asks for that. */
  asFile: boolean;
  markdown: boolean;
  key: string;
  /** The key of another page in the same format. */
  keyOf: (page: Entry) => string;
}

/** The page at a path, in the format that was asked for, and the key of what it is drawn as. */
function wantedOf({ req, place, site, space, path }: PageRequest): Wanted {
  const asFile = /\.md$/.test(path) && !space.byPath.has(path.toLowerCase());
  const markdown = asFile || wantsMarkdown(req.headers.accept);
  const at = findPage(space, asFile ? path.slice(0, -3) : path, asFile);
  const page = "page" in at ? at.page : undefined;
  const keyOf = (one?: Entry) =>
    JSON.stringify([
      ...[space.key, site.version, place.base, place.canonical, place.isPrivate, place.siteSpace],
      ...[one?.id, markdown],
    ]);
  return { at, page, asFile, markdown, key: keyOf(page), keyOf };
}

/** Draws the page at a path before it is certain that it will be sent; it is kept as any other. */
export async function preparePage(request: PageRequest, bodies: BodyCache): Promise<void> {
  if (!hasPage(request.space, request.path)) return;
  const { page, markdown, key } = wantedOf(request);
  if (page) await bodies.get(key, () => renderBody(request, page, markdown));
}

/**
 * Sends the page at a path as HTML or markdown, drawn once for each version and audience; 308 for a page that lies
 * elsewhere, or did not before, and where a redirect leads from a path that has none, 404 with suggestions.
 */
export async function sendPage(request: PageRequest, { bodies, recent, prerender }: Keeps): Promise<void> {
  const { req, res, place, site, space, query } = request;
  const { at, page, asFile, markdown, key, keyOf } = wantedOf(request);
  if ("moved" in at)
    return redirect(res, `${place.base}${encodedPath(at.moved)}${asFile ? ".md" : ""}${query}`, {
      status: 308,
    });
  if (!page) {
    const target = (await movedFrom(request, asFile)) ?? (await redirectFrom(request, asFile));
    if (target !== undefined) return redirect(res, target, { status: 308 });
    return sendNotFound(request, nearest(space, request.path), markdown);
  }
  const body = await prerender.awaited(
    key,
    bodies.get(key, () => renderBody(request, page, markdown)),
  );
  if (!body) return sendNotFound(request, [], markdown);
  // Caches that pass over `vary` may keep HTML alone.
  const cache = markdown && !asFile ? PRIVATE : cacheOf(request);
  if (isPublic(request)) recent.keep(req, body, cache, Math.min(request.freshUntil, site.freshUntil));
  await sendKept(request, bodies, { key, body, cache });
  // On another host each page names our own files by an address of its own.
  if (body.sent || isReadElsewhere(place)) return;
  body.sent = true;
  const draw = (one: Entry, thread: Thread) =>
    bodies.get(keyOf(one), () => renderBody(request, one, markdown, thread));
  prerender.follow({ order: space.order, page, keyOf, isDrawn: bodies.has, draw });
}

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

/** Draws a page in the format that was asked for; undefined when it went meanwhile. */
async function renderBody(
  request: PageRequest,
  entry: Entry,
  markdown: boolean,
  thread: Thread = "main",
): Promise<Body | undefined> {
  const { place, site, space, assets, customizationLinks, parts } = request;
  if (markdown) {
    const text = await markdownOf(place, entry);
    const canonical = place.canonical + encodedPath(pathOf(space, entry));
    const headers = { "x-robots-tag": "noindex", link: `<${canonical}>; rel="canonical"` };
    return text === undefined ? undefined : bodyOf(text, { type: MARKDOWN, headers });
  }
  const [page, variants] = await Promise.all([loadPage(request, entry, thread), variantsOf(request, entry)]);
  if (!page) return undefined;
  const alternate = `${place.base}${encodedPath(entry.path ?? "")}.md`;
  const headers = {
    "content-security-policy": policyOf(site.customization, page.servers),
    link: `<${alternate}>; rel="alternate"; type="text/markdown"`,
  };
  const body = bodyOf(pageHtml({ place, site, space, assets, customizationLinks }, page, variants), {
    type: HTML,
    headers,
  });
  return { ...body, lasts: lastsOf(page, parts) };
}

function sendNotFound(request: PageRequest, near: Entry[], markdown: boolean): Promise<void> {
  const { req, res, place, site } = request;
  if (markdown) {
    const lines = near.map((one) => `- [${one.title}](${place.canonical}${encodedPath(one.path ?? "")}.md)`);
    const text = [`# ${site.words.notFound}`, "", ...lines, ""].join("\n");
    return respond(req, res, bodyOf(text, { status: 404, type: MARKDOWN }), PRIVATE);
  }
  const text = notFoundHtml(request, near);
  const headers = { "content-security-policy": policyOf(site.customization) };
  return respond(req, res, bodyOf(text, { status: 404, type: HTML, headers }), PRIVATE);
}
