import { linkText } from "../formats/lists.js";
import type { SiteContext } from "../site/context.js";
import { pathOf } from "../site/find.js";
import { encodedPath } from "../site/links.js";
import type { SiteSpaceLink } from "../site/site.js";
import { openSpace } from "../site/site-spaces.js";
import type { Entry } from "../site/space.js";

/** Pages that are listed at a time, and spaces that are looked into for them. */
const MOST_LISTED = 500;
const MOST_SPACES = 10;

/**
 * The pages of spaces of a site with their addresses, so many at a time: those of the first space begin with the page
 * `from`. The last line says where the rest begins, if any is left.
 */
export async function pagesText(
  context: SiteContext,
  spaces: SiteSpaceLink[],
  from: number,
): Promise<string> {
  const lines: string[] = [];
  let [start, left] = [from, MOST_LISTED];
  for (const [at, one] of spaces.entries()) {
    if (left === 0 || at === MOST_SPACES) return [...lines, moreFrom(one, start)].join("\n");
    const opened = await openSpace(context, one);
    if (context.site.spaces.length > 1) lines.push(`## [${linkText(one.title)}](${one.canonical})`);
    const pages = opened?.space.order ?? [];
    const some = pages.slice(start, start + left);
    for (const page of some) {
      const address = one.canonical + encodedPath(pathOf(opened!.space, page));
      lines.push(`${"  ".repeat(depthOf(page))}- [${linkText(page.title)}](${address})`);
    }
    if (start + some.length < pages.length) return [...lines, moreFrom(one, start + some.length)].join("\n");
    [start, left] = [0, left - some.length];
  }
  return lines.join("\n");
}

const moreFrom = ({ canonical }: SiteSpaceLink, from: number): string =>
  `More pages: section ${canonical} from ${from}`;

function depthOf(entry: Entry): number {
  let depth = 0;
  for (let above = entry.parent; above; above = above.parent) depth += 1;
  return depth;
}
