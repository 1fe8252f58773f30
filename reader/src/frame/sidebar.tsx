import type { Page } from "@octavo/html/page";
import type { Html } from "@octavo/html/scope";
import { targetIcon } from "@octavo/html/target-icon";
import { linkUrl } from "@octavo/html/urls";
import { pathOf } from "../find.js";
import { encodedPath } from "../links.js";
import type { Entry, Space } from "../space.js";

/** Entries that a sidebar shows whole; of more it shows those around the page. */
const WHOLE = 400;

interface Sidebar {
  space: Space;
  base: string;
  current: Entry | undefined;
  links: Page;
}

/** The pages of a space as a tree, opened where the current page stands. */
export function sidebar({ space, base, current, links }: Sidebar): Html {
  const line = new Set<Entry>();
  for (let entry = current; entry; entry = entry.parent) line.add(entry);
  const pruned = space.byId.size > WHOLE;

  const list = (entries: Entry[]): Html => {
    const shown = entries.filter(({ hidden, type }) => !hidden && type !== "computed");
    return shown.length > 0 && <ul>{shown.map(item)}</ul>;
  };

  const item = (entry: Entry): Html => {
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
    const open = line.has(entry) || (!pruned && entry.parent?.type !== "document" && space.byId.size <= 60);
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
