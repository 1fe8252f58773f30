import type { IncomingMessage, ServerResponse } from "node:http";
import { unlessGone } from "../cache/upstream-errors.js";
import { respondInParts } from "../http/respond.js";
import type { SiteContext } from "../site/context.js";
import { encodedPath } from "../site/links.js";
import type { Entry } from "../site/space.js";
import { markdownOf } from "./markdown.js";

/** Pages of one part: what follows is at the address that the part ends with. */
export const PAGES_OF_PART = 100;
/** Pages that are asked for at a time. */
const AT_ONCE = 4;

/**
 * Sends all pages of a space as markdown, one after the other, a part at a time; what a client does not take is not read.
 * Pages that are gone are left out; any other failure ends the response, or throws where nothing was sent yet. False when
 * there is no such part.
 */
export async function sendFull(
  req: IncomingMessage,
  res: ServerResponse,
  { place, space, site }: SiteContext,
  { part, cache }: { part: number; cache: string },
): Promise<boolean> {
  const pages = space.order.slice((part - 1) * PAGES_OF_PART, part * PAGES_OF_PART);
  if (part < 1 || pages.length === 0) return false;
  const type = "text/plain; charset=utf-8";
  const headers = { "x-robots-tag": "noindex" };
  await respondInParts(req, res, { type, headers, cache, texts: texts() });
  return true;

  async function* texts(): AsyncGenerator<string> {
    // With the first pages: a title alone would be a response already when these fail.
    let before = `# ${site.title.replace(/\s+/g, " ")}\n`;
    for (let at = 0; at < pages.length; at += AT_ONCE) {
      yield before + (await Promise.all(pages.slice(at, at + AT_ONCE).map(textOf))).join("");
      before = "";
    }
    const more = space.order.length > part * PAGES_OF_PART;
    if (more) yield `\n---\n\nMore pages: ${place.canonical}llms-full.txt/${part + 1}\n`;
  }

  async function textOf(entry: Entry): Promise<string> {
    const text = await unlessGone(markdownOf(place, entry, false));
    const url = `${place.canonical}${encodedPath(entry.path ?? "")}`;
    return text === undefined ? "" : `\n---\n\nSource: ${url}\n\n${text.trim()}\n`;
  }
}
