import type { BodyCache } from "../cache/body-cache.js";
import { MARKDOWN, wantsMarkdown } from "../formats/markdown.js";
import { pageHtml } from "../frame/page.js";
import { policyOf } from "../frame/policy.js";
import { type Body, bodyOf } from "../http/body.js";
import { redirect } from "../http/respond.js";
import { markdownOf } from "../pages/markdown.js";
import { lastsOf, loadPage } from "../pages/page.js";
import type { Thread } from "../pages/prerender.js";
import { variantsOf } from "../pages/variants.js";
import { type AtPath, findPage, hasPage, nearest, pathOf } from "../site/find.js";
import { encodedPath } from "../site/links.js";
import { movedFrom } from "../site/moved.js";
import { isReadElsewhere } from "../site/places.js";
import { redirectFrom } from "../site/redirects.js";
import type { Entry } from "../site/space.js";
import { sendNotFound } from "./not-found.js";
import {
  bodyKey,
  cacheOf,
  HTML,
  isPublic,
  NOT_STORED,
  type PageRequest,
  type ReaderState,
  sendKept,
} from "./page-request.js";

interface WantedPage {
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
function wantedOf(request: PageRequest): WantedPage {
  const { req, space, path } = request;
  const asFile = /\.md$/.test(path) && !space.byPath.has(path.toLowerCase());
  const markdown = asFile || wantsMarkdown(req.headers.accept);
  const at = findPage(space, asFile ? path.slice(0, -3) : path, { asFile });
  const page = "page" in at ? at.page : undefined;
  const keyOf = (one?: Entry) => bodyKey(request, "page", one?.id, markdown);
  return { at, page, asFile, markdown, key: keyOf(page), keyOf };
}

/** Draws the page at a path ahead of its request being confirmed, into the cache of bodies; sends nothing. */
export async function preparePage(request: PageRequest, bodies: BodyCache): Promise<void> {
  if (!hasPage(request.space, request.path)) return;
  const { page, markdown, key } = wantedOf(request);
  if (page) await bodies.get(key, () => renderBody(request, page, { markdown }));
}

/**
 * Sends the page at a path as HTML or markdown, drawn once for each version and audience; 308 for a page that lies
 * elsewhere, or did not before, and where a redirect leads from a path that has none, 404 with suggestions.
 */
export async function sendPage(
  request: PageRequest,
  { bodies, recent, prerender }: ReaderState,
): Promise<void> {
  const { req, res, place, site, space, query } = request;
  const { at, page, asFile, markdown, key, keyOf } = wantedOf(request);
  if ("moved" in at)
    return redirect(res, `${place.base}${encodedPath(at.moved)}${asFile ? ".md" : ""}${query}`, {
      status: 308,
    });
  if (!page) {
    const target = (await movedFrom(request, { asFile })) ?? (await redirectFrom(request, { asFile }));
    if (target !== undefined) return redirect(res, target, { status: 308 });
    return sendNotFound(request, { near: nearest(space, request.path), markdown });
  }
  const body = await prerender.awaited(
    key,
    bodies.get(key, () => renderBody(request, page, { markdown })),
  );
  if (!body) return sendNotFound(request, { near: [], markdown });
  // Caches that pass over `vary` may keep HTML alone.
  const cache = markdown && !asFile ? NOT_STORED : cacheOf(request);
  if (isPublic(request)) recent.keep(req, body, cache, Math.min(request.freshUntil, site.freshUntil));
  await sendKept(request, bodies, { key, body, cache });
  // On another host each page names our own files by an address of its own.
  if (body.sent || isReadElsewhere(place)) return;
  body.sent = true;
  const draw = (one: Entry, thread: Thread) =>
    bodies.get(keyOf(one), () => renderBody(request, one, { markdown, thread }));
  prerender.follow({ order: space.order, page, keyOf, isDrawn: bodies.has, draw });
}

/** Draws a page in the format that was asked for; undefined when it went meanwhile. */
async function renderBody(
  request: PageRequest,
  entry: Entry,
  { markdown, thread = "main" }: { markdown: boolean; thread?: Thread },
): Promise<Body | undefined> {
  const { place, site, space, assets, parts } = request;
  if (markdown) {
    const text = await markdownOf(request, entry);
    const canonical = place.canonical + encodedPath(pathOf(space, entry));
    const headers = { "x-robots-tag": "noindex", link: `<${canonical}>; rel="canonical"` };
    if (text === undefined) return undefined;
    return { ...bodyOf(text, { type: MARKDOWN, headers }), lasts: lastsOf({ operations: false }, parts) };
  }
  const [page, variants, customizationLinks] = await Promise.all([
    loadPage(request, entry, thread),
    variantsOf(request, entry),
    request.customizationLinks(),
  ]);
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
