import type { BodyCache } from "../cache/body-cache.js";
import { llmsText, PAGES_MAP, pagesMapXml, robotsText, sitemapXml } from "../formats/lists.js";
import { bodyOf } from "../http/body.js";
import type { SiteContext } from "../site/context.js";
import { bodyKey, cacheOf, isPublic, type PageRequest, sendKept, TEXT } from "./page-request.js";

const XML = "application/xml";

interface List {
  type: string;
  textOf: (context: SiteContext) => string;
  /** Whether only what everybody is shown has it. */
  onlyPublic?: boolean;
}

/** The lists of all pages for machines, by their paths. */
const LISTS = new Map<string, List>([
  ["llms.txt", { type: TEXT, textOf: llmsText }],
  ["robots.txt", { type: TEXT, textOf: robotsText }],
  ["sitemap.xml", { type: XML, textOf: sitemapXml, onlyPublic: true }],
  [PAGES_MAP, { type: XML, textOf: pagesMapXml, onlyPublic: true }],
]);

/** Sends a list of all pages for machines, made once for each version and audience; undefined when the path is none. */
export function sendList(request: PageRequest, bodies: BodyCache): Promise<void> | undefined {
  const list = LISTS.get(request.path);
  if (!list || (list.onlyPublic && !isPublic(request))) return undefined;
  return sendMade(request, list, bodies);
}

async function sendMade(request: PageRequest, { type, textOf }: List, bodies: BodyCache): Promise<void> {
  const { place, site, space, path } = request;
  const key = bodyKey(request, "list", path);
  const body = await bodies.get(key, async () => bodyOf(textOf({ place, site, space }), { type }));
  return sendKept(request, bodies, { key, body: body!, cache: cacheOf(request) });
}
