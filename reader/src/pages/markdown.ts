import { inputFor } from "../drawing/input.js";
import { askPage } from "../site/content-page.js";
import type { Entry } from "../site/space.js";
import { type PageContext, referredFrom } from "./referred.js";

/** A page as markdown, which begins with where the list of all pages is when it stands `alone`; undefined when it has no text. */
export async function markdownOf(
  context: PageContext,
  entry: Entry,
  { alone = true } = {},
): Promise<string | undefined> {
  const { place, site, space, drawing } = context;
  const asked = await askPage(place, entry, { metadata: false });
  if (!asked) return undefined;
  const { facts } = await drawing.open(place.site, asked.document);
  const referred = await referredFrom(context, { refs: facts.refs, operations: false }, entry.id);
  const input = inputFor({ place, site, space, json: asked.document, facts, referred }, 0);
  const { title } = entry;
  const text = await drawing.markdown(place.site, { ...input, title, canonical: place.canonical });
  return alone ? `> All pages of this site are listed in ${place.canonical}llms.txt\n\n${text}` : text;
}
