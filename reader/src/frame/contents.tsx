import type { Page } from "@octavo/html/page";
import type { Assets } from "../assets/assets.js";
import { specialPath } from "../site/links.js";
import type { Site } from "../site/site.js";
import type { Entry, Space } from "../site/space.js";
import { htmlOf } from "./document.js";
import { allOf, sidebar } from "./sidebar.js";

interface Contents {
  site: Site;
  assets: Assets;
  space: Space;
  /** The path of the space, and that of the site. */
  base: string;
  home: string;
  links: Page;
  /** Whose entries are listed; without one, those at the top. */
  entry: Entry | undefined;
}

/** The entry that a path names exactly, groups as well: of the first page it is empty. */
export const entryAt = ({ order, byPath }: Space, path: string): Entry | undefined =>
  path === "" ? order[0] : byPath.get(path.toLowerCase());

/** The HTML of a page of all that is directly below an entry: of long lists, sidebars show a part. */
export function contentsHtml({ site, assets, space, base, home, links, entry }: Contents): string {
  const { words } = site;
  const title = entry ? `${words.contents}: ${entry.title}` : words.contents;
  return htmlOf({
    site,
    assets,
    home,
    links,
    title,
    noIndex: true,
    search: specialPath({ base }, "search"),
    sidebar: sidebar({ space, site, base, current: entry, links }),
    body: (
      <>
        <div class="head">
          <h1>{title}</h1>
        </div>
        <div class="text">{allOf({ space, site, base, links }, entry?.children ?? space.top)}</div>
      </>
    ),
  });
}
