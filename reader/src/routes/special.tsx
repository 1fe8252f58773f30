// What lies below `~octavo/` of a space, which no page does: what is asked of the whole site.

import { fullTexts } from "../formats/full.js";
import { contentsHtml, entryAt } from "../frame/contents.js";
import { htmlOf } from "../frame/document.js";
import { feedbackThanks } from "../frame/feedback-form.js";
import { policyOf } from "../frame/policy.js";
import { resultsPart, searchHtml } from "../frame/search.js";
import { sidebar, sidebarBelow } from "../frame/sidebar.js";
import { type Body, bodyOf } from "../http/body.js";
import { respond, STANDING } from "../http/respond.js";
import { markdownOf } from "../pages/markdown.js";
import { lastsOf } from "../pages/page.js";
import { askPage } from "../site/content-page.js";
import { feedbackIn, recordFeedback } from "../site/feedback.js";
import { pageNamed, pathOf } from "../site/find.js";
import { encodedPath, specialPath } from "../site/links.js";
import { queryIn, searchSite } from "../site/search.js";
import type { Entry } from "../site/space.js";
import { sendMcp } from "./mcp.js";
import { sendNothing } from "./not-found.js";
import {
  bodyKey,
  cacheOf,
  HTML,
  NOT_STORED,
  type PageRequest,
  type ReaderState,
  sendKept,
  TEXT,
} from "./page-request.js";
import { sendPrint } from "./print.js";

type Special = (request: PageRequest, state: ReaderState) => Promise<void>;

const SPECIAL = new Map<string, Special>([
  ["search", sendSearch],
  ["contents", sendContents],
  ["print", sendPrint],
]);

/** What takes a body that is sent to a site, by the last word of its path. */
const POST_ROUTES = new Map<
  string,
  (request: PageRequest, body: string, state: ReaderState) => Promise<void>
>([
  ["feedback", takeFeedback],
  ["mcp", (request, body, { protocol }) => sendMcp(request, body, protocol)],
]);

/** Handles a POST to a special path: feedback of a reader, or a message of a program. 413 for a body that is too long. */
export async function handlePost(
  request: PageRequest,
  readBody: () => Promise<string | undefined>,
  state: ReaderState,
): Promise<void> {
  const take = POST_ROUTES.get(/([a-z]+)$/.exec(request.path)?.[1] ?? "");
  if (!take) return sendNothing(request.req, request.res, request.assets);
  const body = await readBody();
  if (body === undefined) return void request.res.writeHead(413, { ...STANDING, "content-length": 0 }).end();
  return take(request, body, state);
}

/** Records what a reader thinks of a page, and thanks. */
async function takeFeedback(request: PageRequest, body: string): Promise<void> {
  const { req, res, place, site, space, assets } = request;
  const form = new URLSearchParams(body);
  const page = space.byId.get(form.get("page") ?? "");
  const given = feedbackIn(form.get("rating"), form.get("comment"));
  if (!site.customization.feedback.enabled || page?.type !== "document" || !given)
    return sendNothing(req, res, assets);
  await recordFeedback(request, page, given);
  const links = await request.customizationLinks();
  const thanks = feedbackThanks({
    action: specialPath(place, "feedback"),
    page: page.id,
    rating: given.rating,
    words: site.words,
    commented: given.comment !== undefined,
  });
  const text = htmlOf({
    site,
    assets,
    links,
    home: place.siteBase,
    title: page.title,
    noIndex: true,
    sidebar: sidebar({ space, site, base: place.base, current: page, links }),
    body: [<div class="head">{<h1>{page.title}</h1>}</div>, thanks],
  });
  const headers = { "content-security-policy": policyOf(site.customization) };
  return respond(req, res, bodyOf(text, { type: HTML, headers }), NOT_STORED);
}

/** Sends what lies at a special path; undefined when the path is none. */
export function sendSpecial(request: PageRequest, state: ReaderState): Promise<void> | undefined {
  const full = /^llms-full\.txt(?:\/(\d{1,4}))?$/.exec(request.path);
  if (full) return sendWhole(request, state, Number(full[1] ?? 1));
  if (/(?:^|\/)rss\.xml$/.test(request.path)) return sendRss(request, state);
  const name = /^~(?:octavo|gitbook)\/([a-z-]+)$/.exec(request.path)?.[1];
  return name === undefined ? undefined : SPECIAL.get(name)?.(request, state);
}

/** Sends the results of a search as a page, or with `part` as the list that the script of a page shows. */
async function sendSearch(request: PageRequest): Promise<void> {
  const { req, res, place, site, space, assets } = request;
  const parameters = new URLSearchParams(request.query);
  const query = queryIn(parameters);
  const inSection = parameters.get("in") === "section";
  const found = await searchSite(request, query, inSection ? "section" : "site");
  const headers = { "content-security-policy": policyOf(site.customization), "x-robots-tag": "noindex" };
  const links = parameters.has("part") ? undefined : await request.customizationLinks();
  const text = links
    ? searchHtml({
        site,
        assets,
        links,
        home: place.siteBase,
        found,
        query,
        inSection,
        action: specialPath(place, "search"),
        sidebar: sidebar({ space, site, base: place.base, current: undefined, links }),
      })
    : resultsPart(site, found, query);
  return respond(req, res, bodyOf(text, { type: HTML, headers }), NOT_STORED);
}

/** Branches of the sidebar that one response holds. */
const MOST_BRANCHES = 20;

/**
 * Sends a page of what is directly below the entry at `page`, or at the top; with `part` the lists that the sidebar shows
 * below each of several, one after the other, an empty one for what is not there.
 */
async function sendContents(request: PageRequest, { bodies }: ReaderState): Promise<void> {
  const { req, res, place, site, space, assets, parts } = request;
  const parameters = new URLSearchParams(request.query);
  const paths = [...new Set(parameters.getAll("page"))].slice(0, MOST_BRANCHES);
  const entries = paths.map((path) => entryAt(space, path));
  const isPart = parameters.has("part");
  const [entry] = entries;
  if (!isPart && parameters.has("page") && !entry) return sendNothing(req, res, assets);
  const headers = { "content-security-policy": policyOf(site.customization), "x-robots-tag": "noindex" };
  const cache = cacheOf(request);
  const given = async () => ({ space, site, base: place.base, links: await request.customizationLinks() });
  if (isPart) {
    const shown = await given();
    const lists = entries.map((one) => sidebarBelow(shown, one)).join("");
    return respond(req, res, bodyOf(lists, { type: HTML, headers }), cache);
  }
  const key = bodyKey(request, "contents", entry?.id);
  const body = await bodies.get(key, async () => {
    const text = contentsHtml({ ...(await given()), assets, home: place.siteBase, entry });
    return { ...bodyOf(text, { type: HTML, headers }), lasts: lastsOf({ operations: false }, parts) };
  });
  return sendKept(request, bodies, { key, body: body!, cache });
}

/** Sends all pages as one text, a part at a time. */
async function sendWhole(request: PageRequest, { wholeSpaces }: ReaderState, part: number): Promise<void> {
  const { req, res, place, assets } = request;
  const texts = fullTexts(request, part, (entry) => markdownOf(request, entry, { alone: false }));
  if (!texts) return sendNothing(req, res, assets);
  const headers = { "x-robots-tag": "noindex" };
  return wholeSpaces.send(request, place.site, { type: TEXT, headers, cache: cacheOf(request), texts });
}

/** Sends the feed of the updates of a page, made once for each version and audience. */
async function sendRss(request: PageRequest, { bodies }: ReaderState): Promise<void> {
  const { req, res, space, assets } = request;
  const entry = pageNamed(space, request.path.replace(/\/?rss\.xml$/, ""));
  if (!entry) return sendNothing(req, res, assets);
  const key = bodyKey(request, "feed", entry.id);
  const body = await bodies.get(key, () => feedOf(request, entry));
  if (!body) return sendNothing(req, res, assets);
  return sendKept(request, bodies, { key, body, cache: cacheOf(request) });
}

/** The feed of a page; undefined when it has no updates. Only its document is asked for: nothing of it is drawn. */
async function feedOf({ place, space, drawing }: PageRequest, entry: Entry): Promise<Body | undefined> {
  const asked = await askPage(place, entry, { metadata: false });
  if (!asked) return undefined;
  const { title, description = "" } = entry;
  const url = place.canonical + encodedPath(pathOf(space, entry));
  const text = await drawing.feed(place.site, { json: asked.document, feed: { title, description, url } });
  return text === undefined ? undefined : bodyOf(text, { type: "application/rss+xml; charset=utf-8" });
}
