import { policyOf } from "../frame/policy.js";
import { printHtml } from "../frame/print.js";
import { respondInParts } from "../http/respond.js";
import { loadPage } from "../pages/page.js";
import { pageNamed } from "../site/find.js";
import { specialPath } from "../site/links.js";
import type { Entry } from "../site/space.js";
import { sendNothing } from "./not-found.js";
import { HTML, NOT_STORED, type PageRequest, type ReaderState } from "./page-request.js";

/** Pages that one print has. */
const MAX_PAGES = 100;

/**
 * Sends a page, with `page` its path, or the pages of a space as paper has them, a hundred at a time; `from` is the first
 * one of more.
 */
export async function sendPrint(request: PageRequest, { wholeSpaces }: ReaderState): Promise<void> {
  const { req, res, place, site, assets } = request;
  const { title, entries, next } = printedAt(request);
  if (entries.length === 0) return sendNothing(req, res, assets);
  const areMany = entries.length > 1;
  // Many leave the main thread to whoever wants one.
  const thread = areMany ? "worker" : "main";
  const links = await request.customizationLinks();
  const texts = printHtml({
    site,
    assets,
    load: (entry) => loadPage(request, entry, thread),
    title,
    entries: entries.map((entry) => ({
      entry,
      href: links.link({ kind: "page", page: entry.id })?.href,
    })),
    next: next === undefined ? undefined : `${specialPath(place, "print")}?from=${next}`,
  });
  const headers = { "content-security-policy": policyOf(site.customization), "x-robots-tag": "noindex" };
  const parts = { type: HTML, headers, cache: NOT_STORED, texts };
  return areMany ? wholeSpaces.send(request, place.site, parts) : respondInParts(req, res, parts);
}

interface Printed {
  title: string;
  entries: Entry[];
  /** The number of the first page of the next print. */
  next?: number;
}

/** The pages that a print has, none where there is no such page. */
function printedAt({ site, space, query }: PageRequest): Printed {
  const parameters = new URLSearchParams(query);
  const path = parameters.get("page");
  if (path === null) {
    const from = Math.max(0, Math.floor(Number(parameters.get("from")) || 0));
    const next = from + MAX_PAGES < space.order.length ? from + MAX_PAGES : undefined;
    return { title: site.title, entries: space.order.slice(from, from + MAX_PAGES), next };
  }
  const page = pageNamed(space, path);
  return { title: page?.title ?? site.title, entries: page ? [page] : [] };
}
