import type { Entry, Space } from "./space.js";

/** What a path leads to in a space. */
export type AtPath = { page: Entry } | { moved: string } | { nothing: true };

/** Whether a page or group of a space, or the markdown of one, is at a path below its base, but for case. */
export const hasPage = ({ order, byPath }: Space, path: string): boolean =>
  path === "" ? order.length > 0 : byPath.has(path.replace(/\.md$/, "").toLowerCase());

/**
 * The page at a path below the base of a space. The first page is at the base itself; other spellings, groups, slashes at
 * the end and `README` lead there in one hop.
 * `asFile` looks for the markdown of a page, which the first one has at a path of its own.
 */
export function findPage(space: Space, path: string, { asFile = false } = {}): AtPath {
  const page = pageNamed(space, path);
  if (!page) return { nothing: true };
  const own = asFile ? (page.path ?? "") : pathOf(space, page);
  return own === path ? { page } : { moved: own };
}

/**
 * The document that a path below the base of a space names, however its address is written: of a group its first page,
 * of the base the first one of all; undefined where there is none.
 */
export function pageNamed({ order, byPath }: Space, path: string): Entry | undefined {
  const plain = plainOf(path);
  // What a page is really called comes before what its address may also be written as.
  const named = byPath.get(path.toLowerCase()) ?? byPath.get(plain.toLowerCase());
  if (named) return documentOf(named);
  return plain === "" ? order[0] : undefined;
}

/** A path without what its address may also be written with: slashes and endings, and the names of a folder's own page. */
export const plainOf = (path: string): string =>
  path
    .replace(/\/+$/, "")
    .replace(/\.(?:md|html?)$/i, "")
    .replace(/(?:^|\/)(?:readme|index)$/i, "");

/** The page that is shown at the path of an entry: of a group its first one. */
export const documentOf = (entry: Entry): Entry | undefined =>
  entry.type === "document" ? entry : firstBelow(entry);

/** The path that a page has: none for the first one. */
export const pathOf = <Of extends { id: string; path?: string }>(
  { order }: { order: readonly Of[] },
  page: NoInfer<Of>,
): string => (page === order[0] ? "" : (page.path ?? ""));

function firstBelow({ children }: Entry): Entry | undefined {
  for (const child of children) {
    const found = child.hidden ? undefined : child.type === "document" ? child : firstBelow(child);
    if (found) return found;
  }
  return undefined;
}

const MOST_LOOKED_AT = 5_000;
const MOST_NAMED = 3;

/** Where words stand in the addresses and titles of the pages of a space. */
interface WordIndex {
  /** The positions in the order of the pages that have a word. */
  pagesWith: Map<string, number[]>;
  /** How many words each page has. */
  counts: number[];
}

/** Made when a path of a space first leads to none: it is gone with the space. */
const indexes = new WeakMap<Space, WordIndex>();

function indexOf(space: Space): WordIndex {
  const known = indexes.get(space);
  if (known) return known;
  const pagesWith: WordIndex["pagesWith"] = new Map();
  const counts = space.order.slice(0, MOST_LOOKED_AT).map((entry, position) => {
    const words = new Set([...wordsOf(entry.path ?? ""), ...wordsOf(entry.title)]);
    for (const word of words) {
      const pages = pagesWith.get(word);
      if (pages) pages.push(position);
      else pagesWith.set(word, [position]);
    }
    return words.size;
  });
  const index = { pagesWith, counts };
  indexes.set(space, index);
  return index;
}

/**
 * Returns three pages for a path that leads to none: those whose last words in the address or the title are most like its
 * own. Where too few are, the first pages of the space follow, but for the home page, which is a link of its own wherever
 * these are shown.
 */
export function nearest(space: Space, given: string): Entry[] {
  if (given === "") return [];
  const { order } = space;
  const { pagesWith, counts } = indexOf(space);
  const path = plainOf(given);
  const last = wordsOf(path.split("/").at(-1) ?? "");
  const likeness = new Map<number, number>();
  for (const word of new Set([...last, ...wordsOf(path)]))
    for (const position of pagesWith.get(word) ?? [])
      likeness.set(position, (likeness.get(position) ?? 0) + (last.has(word) ? 3 : 1));
  const alike = [...likeness]
    .map(([position, sum]) => ({ position, likeness: sum / Math.sqrt(counts[position]! + 1) }))
    .sort((one, other) => other.likeness - one.likeness || one.position - other.position)
    .slice(0, MOST_NAMED)
    .map(({ position }) => order[position]!);
  const first = order.slice(1, 1 + 2 * MOST_NAMED).filter((entry) => !alike.includes(entry));
  return [...alike, ...first].slice(0, MOST_NAMED);
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .slice(0, 500)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1),
  );
