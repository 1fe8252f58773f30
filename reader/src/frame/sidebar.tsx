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

/** What pages of one space have in common, by the looks and addresses that they have. It is gone with the space. */
const kept = new WeakMap<Space, LRUCache<string, Drawn>>();
const LOOKS = 2;

/** The pages of a space as a tree, opened where the current page stands. */
export function sidebar({ space, site, base, current, links }: Sidebar): Html {
  const line = new Set<Entry>();
  for (let entry = current; entry; entry = entry.parent) line.add(entry);
  const pruned = space.byId.size > WHOLE;
  const drawn = drawnOf(space, JSON.stringify([site.version, base]));

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
  const looks = kept.get(space) ?? new LRUCache<string, Drawn>({ max: LOOKS });
  kept.set(space, looks);
  const drawn = looks.get(key) ?? new Map<string, string>();
  looks.set(key, drawn);
  return drawn;
}
