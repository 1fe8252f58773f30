import { askMarkdown } from "../site/content-page.js";
import type { Place } from "../site/places.js";
import type { Entry } from "../site/space.js";

/** The media type of markdown. */
export const MARKDOWN = "text/markdown; charset=utf-8";

/** A page as markdown, which begins with where the list of all pages is when it stands `alone`. */
export async function markdownOf(
  place: Place,
  entry: Entry,
  { alone = true } = {},
): Promise<string | undefined> {
  const page = await askMarkdown(place, entry);
  if (!page) return undefined;
  const text = page.markdown ?? `# ${entry.title}\n`;
  return alone ? `> All pages of this site are listed in ${place.canonical}llms.txt\n\n${text}` : text;
}

/** Whether a client would rather have markdown than HTML. */
export function wantsMarkdown(accept: string | undefined): boolean {
  const weight = (type: string) => {
    const part = accept?.split(",").find((one) => one.trim().toLowerCase().startsWith(type));
    if (part === undefined) return 0;
    const quality = /;\s*q=([\d.]+)/.exec(part)?.[1];
    return quality === undefined ? 1 : Number(quality);
  };
  const markdown = weight("text/markdown");
  return markdown > 0 && markdown >= weight("text/html");
}
