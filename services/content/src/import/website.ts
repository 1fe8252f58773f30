import { withDeadline } from "@octavo/shared/deadline";
import { EgressError } from "@octavo/shared/egress/client";
import { readUrl } from "@octavo/shared/read-url";
import type { Ctx } from "../trpc.js";
import { typeIn } from "./download.js";
import { LARGEST_FILE, LARGEST_TEXT, type Material, type SourceText } from "./material/material.js";
import type { Skipped } from "./material/skipped.js";
import { decoded, readPage } from "./material/texts.js";
import { type Robots, readRobots } from "./robots.js";

/** Most pages of a website, and how long they are fetched; what comes later is left out, and named. */
const MOST_PAGES = 300;
const WITHIN_MS = 35_000;
const AT_A_TIME = 4;
const MOST_SITEMAPS = 10;

interface Crawl {
  ctx: Ctx;
  /** Pages below this address are part of the website. */
  prefix: URL;
  robots: Robots;
  skipped: Skipped;
  signal: AbortSignal;
}

/** Fetches the pages of a website at and below an address, as links and its sitemap name them. */
export async function website(
  ctx: Ctx,
  address: string,
  { skipped, signal }: { skipped: Skipped; signal: AbortSignal },
): Promise<Material> {
  const start = new URL(address);
  start.hash = "";
  const prefix = new URL(start);
  prefix.search = "";
  prefix.pathname = /\.\w+$/.test(start.pathname) ? start.pathname.replace(/[^/]*$/, "") : start.pathname;
  const robots = readRobots((await textAt(ctx, new URL("/robots.txt", start), signal)) ?? "");
  const crawl = { ctx, prefix, robots, skipped, signal };
  const pages = await crawlFrom(crawl, [start, ...(await inSitemaps(crawl))]);
  return {
    texts: [...pages.values()],
    resolve: (from, written) => {
      const base = pages.get(from)?.address ?? start.href;
      const url = readUrl(written, base);
      if (!url || !/^https?:$/.test(url.protocol)) return undefined;
      const anchor = decodeURIComponent(url.hash.slice(1).replace(/%(?![0-9a-f]{2})/gi, "%25"));
      url.hash = "";
      const inside = pathIn(prefix, url);
      const path = inside !== undefined && pages.has(inside) ? inside : url.href;
      return { path, ...(anchor && { anchor }) };
    },
    file: async (path) => (/^https?:/.test(path) ? bytesAt(ctx, path, signal) : undefined),
  };
}

/** A page, and where it was: relative addresses in it start there. */
type Fetched = SourceText & { address: string };

/** Goes from page to page, some at a time. The pages by their paths, in the order in which they were found. */
async function crawlFrom(crawl: Crawl, starts: URL[]): Promise<Map<string, Fetched>> {
  const { ctx, prefix, robots, skipped } = crawl;
  const until = withDeadline(crawl.signal, WITHIN_MS);
  const seen = new Set<string>();
  const order: string[] = [];
  const pages = new Map<string, Fetched>();
  const open: URL[] = [];
  const add = (url: URL) => {
    const path = pathIn(prefix, url);
    if (path === undefined || seen.has(path)) return;
    seen.add(path);
    if (!robots.allows(url.pathname)) skipped.add("robots", url.href);
    else if (order.length >= MOST_PAGES) skipped.add("limit", url.href);
    else {
      order.push(path);
      open.push(url);
    }
  };
  for (const url of starts) add(url);
  const worker = async () => {
    for (let url = open.shift(); url; url = open.shift()) {
      if (until.aborted) {
        skipped.add("limit", url.href);
        continue;
      }
      const page = await pageAt(crawl, url, until);
      crawl.signal.throwIfAborted();
      if (!page) continue;
      pages.set(pathIn(prefix, url)!, page);
      for (const link of page.links) {
        const next = readUrl(link, url);
        if (!next) continue;
        next.hash = "";
        if (next.search === "" && !NO_PAGE.test(next.pathname)) add(next);
      }
    }
  };
  // Who finds nothing to do ends; what others find meanwhile is done in the next round.
  while (open.length > 0) await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  ctx.log.info({ pages: pages.size, seen: seen.size }, "a website was fetched");
  return new Map(order.flatMap((path) => (pages.has(path) ? [[path, pages.get(path)!] as const] : [])));
}

const NO_PAGE = /\.(?!html?$|php$|aspx?$|md$)[a-z0-9]{1,5}$/i;

async function pageAt({ ctx, prefix, skipped }: Crawl, url: URL, signal: AbortSignal) {
  try {
    const response = await ctx.egress.fetch(url, { maxBytes: LARGEST_TEXT, timeoutMs: 15_000, signal });
    const isPage = /^(text\/html|application\/xhtml\+xml)$/.test(typeIn(response.headers["content-type"]));
    const isInside = pathIn(prefix, new URL(response.url)) !== undefined;
    if (response.status !== 200 || !isPage || !isInside) {
      response.close();
      if (response.status !== 200) skipped.add("unreachable", url.href);
      return undefined;
    }
    const html = decoded(await response.bytes());
    const path = pathIn(prefix, url)!;
    const page = html === undefined ? undefined : await readPage({ path, html, work: ctx.work });
    if (!page) skipped.add("unreadable", url.href);
    return page && { ...page, address: response.url };
  } catch (error) {
    if (signal.aborted) skipped.add("limit", url.href);
    else if (error instanceof EgressError) skipped.add("unreachable", url.href);
    else throw error;
    return undefined;
  }
}

/** The pages that sitemaps name, those of `robots.txt` first. */
async function inSitemaps({ ctx, prefix, robots, signal }: Crawl): Promise<URL[]> {
  const found: URL[] = [];
  const open = [...robots.sitemaps, new URL("/sitemap.xml", prefix).href];
  const seen = new Set<string>();
  for (let address = open.shift(); address !== undefined; address = open.shift()) {
    if (seen.has(address) || seen.size >= MOST_SITEMAPS) continue;
    seen.add(address);
    const sitemap = readUrl(address);
    if (sitemap?.origin !== prefix.origin) continue;
    const text = await textAt(ctx, sitemap, signal);
    for (const [, written = ""] of (text ?? "").matchAll(/<loc>\s*([^<\s]{1,2048})\s*<\/loc>/g)) {
      const loc = readUrl(written.replaceAll("&amp;", "&"));
      if (!loc) continue;
      if (/<sitemapindex\b/.test(text!.slice(0, 2000))) open.push(loc.href);
      else if (found.length < MOST_PAGES * 4) found.push(loc);
    }
  }
  return found;
}

async function textAt(ctx: Ctx, url: URL, signal: AbortSignal): Promise<string | undefined> {
  const content = await bytesAt(ctx, url.href, signal, LARGEST_TEXT);
  return content && decoded(content);
}

/** What lies at an address; undefined when it cannot be had, whatever the reason. */
async function bytesAt(ctx: Ctx, url: string, signal: AbortSignal, maxBytes = LARGEST_FILE) {
  try {
    const response = await ctx.egress.fetch(url, { maxBytes, timeoutMs: 10_000, signal });
    if (response.status === 200) return await response.bytes();
    response.close();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
  }
  return undefined;
}

/** The path below the prefix that stands for an address, as the name of a file; undefined for one outside. */
function pathIn(prefix: URL, url: URL): string | undefined {
  if (url.origin !== prefix.origin) return undefined;
  const base = prefix.pathname.replace(/\/$/, "");
  const at = url.pathname.replace(/\/$/, "").replace(/\/index\.\w+$/, "");
  if (at !== base && !at.startsWith(`${base}/`)) return undefined;
  return at.slice(base.length + 1) || "index.html";
}
