import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Logger } from "@octavo/shared/log";
import express from "express";
import { answer, redirect } from "./answer.js";
import { type Assets, readAssets } from "./assets.js";
import { type Bodies, type Body, bodyOf, createBodies } from "./bodies.js";
import { findPage, pathOf } from "./find.js";
import { llmsText, robotsText, sitemapXml } from "./formats/lists.js";
import { markdownOf, wantsMarkdown } from "./formats/markdown.js";
import { notFoundHtml, pageHtml } from "./frame/page.js";
import { plainHtml } from "./frame/plain.js";
import { words } from "./frame/words.js";
import { encodedPath, linksOn } from "./links.js";
import { loadPage } from "./page.js";
import { createPlaces, type Place, type Places } from "./places.js";
import { policyOf } from "./policy.js";
import { codeOf, isAway } from "./remembered.js";
import { type Site, siteOf } from "./site.js";
import { type Entry, type Space, spaceOf } from "./space.js";
import type { Upstreams } from "./upstreams.js";
import { cookieFor, proofOf } from "./visitor.js";

interface Options {
  upstreams: Upstreams;
  /** The address of all sites, without a slash at its end. */
  sites: string;
  log: Logger;
}

const HTML = "text/html; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const PUBLIC = "public, max-age=0, must-revalidate";
const PRIVATE = "private, no-store";
const FOREVER = "public, max-age=31536000, immutable";

/** Whatever a page is made of, for one request. */
interface Shown {
  req: IncomingMessage;
  res: ServerResponse;
  place: Place;
  site: Site;
  space: Space;
  /** Below the base of the space, decoded. */
  path: string;
  query: string;
}

/** The HTTP server of the sites that people read, not yet listening. */
export function createReader({ upstreams, sites, log }: Options): Server {
  const base = `${new URL(sites).pathname.replace(/\/+$/, "")}/`;
  const secure = sites.startsWith("https:");
  const assets = readAssets(base);
  const places = createPlaces(upstreams, sites);
  const bodies = createBodies();
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").enable("strict routing");
  app.get("/livez", (_req, res) => void res.json({ status: "ok" }));
  app.get("/readyz", (_req, res) => void res.json({ status: "ok", unready: [] }));
  const reader = { base, secure, assets, places, bodies };
  app.use((req: IncomingMessage, res: ServerResponse) => {
    serve(req, res, reader)
      // A token that ends before its time says that fewer people may see the site: the address may be theirs no more.
      .catch((error: unknown) => {
        if (codeOf(error) !== "UNAUTHORIZED" || res.headersSent) throw error;
        return serve(req, res, reader, true);
      })
      .catch((error: unknown) => sendFailure(req, res, assets, error, log));
  });
  return createServer(app);
}

interface Reader {
  base: string;
  secure: boolean;
  assets: Assets;
  places: Places;
  bodies: Bodies;
}

/** The order in which a request is looked at: files of our own, address, visitor, special paths, page. */
async function serve(
  req: IncomingMessage,
  res: ServerResponse,
  reader: Reader,
  again = false,
): Promise<void> {
  const { base, secure, assets, places, bodies } = reader;
  if (req.method !== "GET" && req.method !== "HEAD") {
    res.writeHead(405, { allow: "GET, HEAD", "content-length": 0 }).end();
    return;
  }
  const url = new URL(req.url!, "http://reader.invalid");
  const { pathname } = url;
  if (pathname.startsWith(`${base}~octavo/assets/`)) return sendAsset(req, res, assets, pathname);
  const name = pathname.startsWith(base) ? (pathname.slice(base.length).split("/", 1)[0] ?? "") : "";
  const proof = proofOf(req, url, name);
  const found = name === "" ? ({ nothing: true } as const) : await places.at(pathname, proof, again);
  if ("nothing" in found) return sendNothing(req, res, assets);
  if ("elsewhere" in found) return redirect(res, found.elsewhere.redirect);
  const { place } = found;
  if (proof.inAddress) {
    url.searchParams.delete("jwt_token");
    res.setHeader("set-cookie", cookieFor(name, place.siteBase, proof.jwt!, secure));
    return redirect(res, pathname + url.search);
  }
  const path = decoded(pathname.slice(place.base.length));
  if (!pathname.startsWith(place.base) || path === undefined)
    return `${pathname}/` === place.base
      ? redirect(res, place.base + url.search, { status: 308 })
      : sendNothing(req, res, assets);
  const [site, space] = await Promise.all([siteOf(place), spaceOf(place)]);
  const shown = { req, res, place, site, space, path, query: url.search };
  const file = /^~octavo\/files\/([^/]+)\//.exec(path);
  if (file) return sendFile(shown, assets, file[1]!);
  const text = textAt(shown);
  if (text) return answer(req, res, bodyOf(text.text, { type: text.type }), cacheOf(shown));
  return sendPage(shown, assets, bodies);
}

function decoded(path: string): string | undefined {
  try {
    return path.split("/").map(decodeURIComponent).join("/");
  } catch {
    return undefined;
  }
}

/** What cannot be shown: 404 for what is not there any more, else 503 while somebody is away. */
async function sendFailure(
  req: IncomingMessage,
  res: ServerResponse,
  assets: Assets,
  error: unknown,
  log: Logger,
): Promise<void> {
  if (res.headersSent) return void res.destroy();
  const code = codeOf(error);
  if (code === "NOT_FOUND" || code === "FORBIDDEN") return sendNothing(req, res, assets);
  log.error({ err: error, path: req.url?.split("?", 1)[0] }, "a page could not be shown");
  const status = isAway(error) || code === "UNAUTHORIZED" ? 503 : 500;
  const headers = { "content-security-policy": policyOf(), "retry-after": "5" };
  const text = plainHtml(assets, words.away, words.awayText);
  await answer(req, res, bodyOf(text, { status, type: HTML, headers }), PRIVATE);
}

function sendAsset(req: IncomingMessage, res: ServerResponse, assets: Assets, path: string): Promise<void> {
  const asset = assets.find(path.split("/").at(-1)!);
  if (!asset) return sendNothing(req, res, assets);
  const { type, body, brotli } = asset;
  const headers = { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" };
  return answer(
    req,
    res,
    { status: 200, type, bytes: body, brotli, etag: `"${path.split(".").at(-2)}"`, headers },
    FOREVER,
  );
}

function sendNothing(req: IncomingMessage, res: ServerResponse, assets: Assets): Promise<void> {
  const text = plainHtml(assets, words.notFound, words.notFoundText);
  const headers = { "content-security-policy": policyOf() };
  return answer(req, res, bodyOf(text, { status: 404, type: HTML, headers }), PRIVATE);
}

/** Files lie at addresses of content that end after an hour: pages name one of ours, which leads there. */
async function sendFile(shown: Shown, assets: Assets, fileId: string): Promise<void> {
  const { req, res, place } = shown;
  const { visitor, space: spaceId, revision: revisionId } = place;
  const file = await visitor.content.revisionContent.file
    .query({ spaceId, revisionId, fileId })
    .catch((error) => {
      if (isAway(error)) throw error;
      return undefined;
    });
  if (!file) return sendNothing(req, res, assets);
  redirect(res, file.downloadURL, { cache: isPublic(shown) ? "private, max-age=600" : PRIVATE });
}

const isPublic = ({ place, site }: Shown): boolean => site.visibility === "public" && !place.isPrivate;
const cacheOf = (shown: Shown): string => (isPublic(shown) ? PUBLIC : PRIVATE);

/** The lists of all pages, for machines. */
function textAt(shown: Shown): { text: string; type: string } | undefined {
  const { path, place, site, space } = shown;
  const listed = { place, site, space };
  if (path === "llms.txt") return { text: llmsText(listed), type: TEXT };
  if (path === "robots.txt") return { text: robotsText(listed), type: TEXT };
  return path === "sitemap.xml" && isPublic(shown)
    ? { text: sitemapXml(listed), type: "application/xml" }
    : undefined;
}

async function sendPage(shown: Shown, assets: Assets, bodies: Bodies): Promise<void> {
  const { req, res, place, space, path, query } = shown;
  const asFile = /\.md$/.test(path) && !space.byPath.has(path.toLowerCase());
  const markdown = asFile || wantsMarkdown(req.headers.accept);
  const at = findPage(space, asFile ? path.slice(0, -3) : path);
  // The first page has a path of its own as well, which its markdown is at.
  const page =
    "page" in at
      ? at.page
      : asFile && "moved" in at
        ? space.byPath.get(path.slice(0, -3).toLowerCase())
        : undefined;
  if ("moved" in at && !page)
    return redirect(res, `${place.base}${encodedPath(at.moved)}${asFile ? ".md" : ""}${query}`, {
      status: 308,
    });
  if (!page) return sendNotFound(shown, assets, "near" in at ? at.near : [], markdown);
  const key = JSON.stringify([
    ...[space.key, shown.site.version, place.base, place.canonical, place.isPrivate, place.siteSpace],
    ...[page.id, markdown],
  ]);
  const body = bodies.get(key) ?? (await made(shown, assets, page, markdown));
  if (!body) return sendNotFound(shown, assets, [], markdown);
  bodies.keep(key, body);
  // Caches that pass over `vary` may keep HTML alone.
  return answer(req, res, body, markdown && !asFile ? PRIVATE : cacheOf(shown));
}

/** Draws a page in the format that was asked for; undefined when it went meanwhile. */
async function made(
  { place, site, space }: Shown,
  assets: Assets,
  entry: Entry,
  markdown: boolean,
): Promise<Body | undefined> {
  if (markdown) {
    const text = await markdownOf(place, entry);
    const canonical = place.canonical + encodedPath(pathOf(space, entry));
    const headers = { "x-robots-tag": "noindex", link: `<${canonical}>; rel="canonical"` };
    return text === undefined ? undefined : bodyOf(text, { type: MARKDOWN, headers });
  }
  const page = await loadPage(place, site, space, entry);
  if (!page) return undefined;
  const alternate = `${place.base}${encodedPath(entry.path ?? "")}.md`;
  const headers = {
    "content-security-policy": policyOf(site.look),
    link: `<${alternate}>; rel="alternate"; type="text/markdown"`,
  };
  return bodyOf(pageHtml({ place, site, space, assets }, page), { type: HTML, headers });
}

function sendNotFound(shown: Shown, assets: Assets, near: Entry[], markdown: boolean): Promise<void> {
  const { req, res, place, site, space } = shown;
  if (markdown) {
    const lines = near.map((one) => `- [${one.title}](${place.canonical}${encodedPath(one.path ?? "")}.md)`);
    const text = [`# ${words.notFound}`, "", ...lines, ""].join("\n");
    return answer(req, res, bodyOf(text, { status: 404, type: MARKDOWN }), PRIVATE);
  }
  const links = linksOn(place, site, space, { spaces: new Map(), reusables: new Map() });
  const text = notFoundHtml({ place, site, space, assets }, near, links);
  const headers = { "content-security-policy": policyOf(site.look) };
  return answer(req, res, bodyOf(text, { status: 404, type: HTML, headers }), PRIVATE);
}
