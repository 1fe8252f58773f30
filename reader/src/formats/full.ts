import { unlessGone } from "../cache/upstream-errors.js";
import type { SiteContext } from "../site/context.js";
import { encodedPath } from "../site/links.js";
import type { Entry } from "../site/space.js";
import { oneLine } from "./lists.js";

/** Pages of one part: what follows is at the address that the part ends with. */
const PAGES_OF_PART = 100;
/** Pages that are asked for at a time. */
const CONCURRENT_PAGES = 4;

/**
 * All pages of a space as markdown, one after the other, a part at a time; each is asked for when what comes before it was
 * taken. Pages that are gone, or have no text, are left out; any other failure is thrown. Undefined when there is no such part.
 */
export function fullTexts(
  { place, space, site }: SiteContext,
  part: number,
  markdownOf: (entry: Entry) => Promise<string | undefined>,
): AsyncGenerator<string> | undefined {
  const pages = space.order.slice((part - 1) * PAGES_OF_PART, part * PAGES_OF_PART);
  return part < 1 || pages.length === 0 ? undefined : texts();

  async function* texts(): AsyncGenerator<string> {
    // With the first pages: a title alone would be a response already when these fail.
    let before = `# ${oneLine(site.title)}\n`;
    for (let at = 0; at < pages.length; at += CONCURRENT_PAGES) {
      yield before + (await Promise.all(pages.slice(at, at + CONCURRENT_PAGES).map(textOf))).join("");
      before = "";
    }
    const more = space.order.length > part * PAGES_OF_PART;
    if (more) yield `\n---\n\nMore pages: ${place.canonical}llms-full.txt/${part + 1}\n`;
  }

  async function textOf(entry: Entry): Promise<string> {
    const text = await unlessGone(markdownOf(entry));
    const url = `${place.canonical}${encodedPath(entry.path ?? "")}`;
    return text === undefined ? "" : `\n---\n\nSource: ${url}\n\n${text.trim()}\n`;
  }
}
