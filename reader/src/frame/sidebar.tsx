import type { Page } from "@octavo/html/page";
import { renderHtml } from "@octavo/html/render";
import type { Html } from "@octavo/html/scope";
import { targetIcon } from "@octavo/html/target-icon";
import { linkUrl } from "@octavo/html/urls";
import { LRUCache } from "lru-cache";
import { pathOf } from "../find.js";
import { encodedPath } from "../links.js";
import type { Site } from "../site.js";
import type { Entry, Space } from "../space.js";

/** Entries that a sidebar shows whole; of more it shows those around the page. */
const WHOLE = 400;
/** Entries up to which a sidebar is open below pages as well. */
const OPEN = 60;

interface Sidebar {
  space: Space;
  site: Pick<Site, "version">;
  base: string;
  current: Entry | undefined;
  /** What the links among the entries lead to. */
  links: Page;
}

/** Entries, by their ids, as they are drawn where the current page is not below them. */
type Drawn = Map<string, string>;

/** Characters of entries that are kept. */
const MOST = 4 * 1024 * 1024;
/** What an entry comes to, about, and the entries of a space that are counted at least. */
const [ENTRY, FEWEST] = [400, 10];
/** What pages of one space have in common, by all that it depends on: this is its one owner. */
const kept = new LRUCache<string, Drawn>({ maxSize: MOST });

/** The pages of a space as a tree, opened where the current page stands. */
export function sidebar({ space, site, base, current, links }: Sidebar): Html {
  const line = new Set<Entry>();
  for (let entry = current; entry; entry = entry.parent) line.add(entry);
  const pruned = space.byId.size > WHOLE;
  const drawn = drawnOf(space, JSON.stringify([space.key, site.version, base]));

  const itemsOf = (entries: Entry[]): string => entries.filter(isListed).map(item).join("");

  const list = (entries: Entry[]): Html => {
    const items = itemsOf(entries);
    return items !== "" && <ul dangerouslySetInnerHTML={{ __html: items }} />;
  };

  /** The HTML of an entry with those below it: most have nothing to do with the current page, and are as on any other. */
  function item(entry: Entry): string {
    if (line.has(entry)) return renderHtml(draw(entry));
    const known = drawn.get(entry.id);
    if (known !== undefined) return known;
    const made = renderHtml(draw(entry));
    drawn.set(entry.id, made);
    return made;
  }

  const draw = (entry: Entry): Html => {
    if (entry.type === "group") {
      return (
        <li class="group">
          <span class="label">
            {targetIcon(entry)}
            {entry.title}
          </span>
          {list(entry.children)}
        </li>
      );
    }
    const href = hrefOf(entry);
    const words = [targetIcon(entry), <span>{entry.title}</span>];
    const inner = entry.children.some(({ hidden }) => !hidden);
    const open = line.has(entry) || (!pruned && entry.parent?.type !== "document" && space.byId.size <= OPEN);
    return (
      <li class={inner && open ? "open" : undefined}>
        {href === undefined ? (
          <span class="lost">{words}</span>
        ) : (
          <a href={href} aria-current={entry === current ? "page" : undefined}>
            {words}
            {inner && <span class="more" />}
          </a>
        )}
        {inner && open && list(entry.children)}
      </li>
    );
  };

  function hrefOf(entry: Entry): string | undefined {
    const url = entry.target ? links.link(entry.target)?.href : base + encodedPath(pathOf(space, entry));
    return url === undefined ? undefined : linkUrl(url);
  }

  return list(space.top);
}

const isListed = ({ hidden, type }: Entry): boolean => !hidden && type !== "computed";

function drawnOf(space: Space, key: string): Drawn {
  const known = kept.get(key) ?? new Map();
  kept.set(key, known, { size: ENTRY * Math.max(FEWEST, space.byId.size) });
  return known;
}
