import { externalLinkAttributes } from "@octavo/html/external-link";
import type { Page } from "@octavo/html/page";
import { renderHtml } from "@octavo/html/render";
import type { Html } from "@octavo/html/scope";
import { targetIcon } from "@octavo/html/target-icon";
import { linkUrl } from "@octavo/html/urls";
import { LRUCache } from "lru-cache";
import { pathOf } from "../site/find.js";
import { encodedPath, specialPath } from "../site/links.js";
import type { Site } from "../site/site.js";
import type { Entry, Space } from "../site/space.js";
import { runsOf } from "./runs.js";

/** Entries that a sidebar shows whole; of more it shows those around the page. */
const WHOLE = 400;
/** Entries up to which a sidebar is open below pages as well. */
const OPEN = 60;
/** Entries of one list that a sidebar around a page shows whole; of a longer one, its first ones and those near the page. */
const LIST = 60;
const [FIRST, NEAR] = [30, 15];
/** Entries that the groups of one list show together there, where the page is in none of them. */
const IN_GROUPS = 200;
const ALL = Number.POSITIVE_INFINITY;

interface Sidebar {
  space: Space;
  site: Pick<Site, "version" | "words">;
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
export function sidebar(given: Sidebar): Html {
  const { items, most } = treeOf(given);
  const html = items(given.space.top, most);
  return (
    html !== "" && (
      <ul data-contents={specialPath(given, "contents")} dangerouslySetInnerHTML={{ __html: html }} />
    )
  );
}

/** What the sidebar shows below an entry that somebody opens: a list, which may be empty. */
export function sidebarBelow(given: Omit<Sidebar, "current">, entry: Entry | undefined): string {
  const { items, most } = treeOf({ ...given, current: undefined });
  return `<ul>${entry ? items(entry.children, most) : ""}</ul>`;
}

/** All entries of one list, however many there are; of a large space without what its groups hold. */
export function allOf(given: Omit<Sidebar, "current">, entries: Entry[]): Html {
  const { item, most } = treeOf({ ...given, current: undefined });
  const html = entries.filter(isListed).map((one) => item(one, most === ALL ? ALL : 0));
  return <ul dangerouslySetInnerHTML={{ __html: html.join("") }} />;
}

function treeOf({ space, site, base, current, links }: Sidebar) {
  const ancestors = new Set<Entry>();
  for (let entry = current; entry; entry = entry.parent) ancestors.add(entry);
  const pruned = space.byId.size > WHOLE;
  const most = pruned ? LIST : ALL;
  const drawn = drawnOf(space, JSON.stringify([site.version, base]));
  /** Entries so far whose targets are not known, which another request may know: they are not kept. */
  let lost = 0;

  /** The HTML of entries of one list, of which so many are shown whole. */
  function items(entries: Entry[], most: number): string {
    const listed = entries.filter(isListed);
    const groups = listed.filter(({ type }) => type === "group").length;
    const each = Math.min(FIRST, Math.floor(IN_GROUPS / groups));
    const inGroup = most === ALL ? ALL : most < LIST ? 0 : each;
    const at = listed.findIndex((one) => ancestors.has(one));
    const kept = { first: Math.min(most, FIRST), near: NEAR };
    const runs = listed.length <= most ? [listed] : runsOf(listed, at, kept);
    return runs
      .map((run) =>
        typeof run === "number"
          ? renderHtml(rest(listed[0]!.parent, run))
          : run.map((one) => item(one, inGroup)).join(""),
      )
      .join("");
  }

  const list = (entries: Entry[], most: number): Html => {
    const html = items(entries, most);
    return html !== "" && <ul dangerouslySetInnerHTML={{ __html: html }} />;
  };

  /** Leads to all entries of a list of which some are left out. */
  const rest = (parent: Entry | undefined, count: number): Html => (
    <li>
      <a href={contentsPath({ space, base }, parent)} rel="nofollow">
        {site.words.more(count)}
      </a>
    </li>
  );

  /**
   * The HTML of an entry with those below it: most have nothing to do with the current page, and are as on any other. A
   * group that the page is not in shows so many of its entries.
   */
  function item(entry: Entry, inGroup: number): string {
    if (ancestors.has(entry)) return renderHtml(draw(entry, most));
    const key = entry.type === "group" ? `${entry.id} ${inGroup}` : entry.id;
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const lostBefore = lost;
    const made = renderHtml(draw(entry, inGroup));
    if (lost === lostBefore) drawn.set(key, made);
    return made;
  }

  const draw = (entry: Entry, inGroup: number): Html => {
    if (entry.type === "group") {
      return (
        <li class="group">
          <span class="label">
            {targetIcon(entry)}
            {entry.title}
          </span>
          {list(entry.children, inGroup)}
        </li>
      );
    }
    const href = hrefOf(entry);
    const words = [targetIcon(entry), <span>{entry.title}</span>];
    const inner = entry.children.some(({ hidden }) => !hidden);
    const open =
      ancestors.has(entry) || (!pruned && entry.parent?.type !== "document" && space.byId.size <= OPEN);
    return (
      <li class={inner && open ? "open" : undefined}>
        {href === undefined ? (
          <span class="lost">{words}</span>
        ) : (
          <a
            href={href}
            aria-current={entry === current ? "page" : undefined}
            {...externalLinkAttributes(href, links)}
          >
            {words}
            {inner && <span class="more" />}
          </a>
        )}
        {inner && open && list(entry.children, most)}
      </li>
    );
  };

  function hrefOf(entry: Entry): string | undefined {
    const url = entry.target ? links.link(entry.target)?.href : base + encodedPath(pathOf(space, entry));
    if (url === undefined) lost += 1;
    return url === undefined ? undefined : linkUrl(url);
  }

  return { items, item, most };
}

/** The path of the page that lists what is directly below an entry, or at the top. */
function contentsPath({ space, base }: Pick<Sidebar, "space" | "base">, entry: Entry | undefined): string {
  const path = specialPath({ base }, "contents");
  return entry ? `${path}?page=${encodeURIComponent(pathOf(space, entry))}` : path;
}

const isListed = ({ hidden, type }: Entry): boolean => !hidden && type !== "computed";

function drawnOf(space: Space, key: string): Drawn {
  const looks = kept.get(space) ?? new LRUCache<string, Drawn>({ max: LOOKS });
  kept.set(space, looks);
  const drawn = looks.get(key) ?? new Map<string, string>();
  looks.set(key, drawn);
  return drawn;
}
