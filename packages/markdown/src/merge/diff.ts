/** Replace `start`..`end` of the old list with `from`..`to` of the new one. */
export interface Hunk {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** More than this many steps of difference in one stretch, and the stretch counts as replaced as a whole. */
const MOST_STEPS = 400;
/** So often the stretches between unique keys are searched for keys that are unique there. */
const DEEPEST = 40;

/**
 * What changed between two lists of keys, in order, unchanged items between any two hunks. Anchored on keys that are
 * unique on both sides (patience), Myers between anchors; near linear because the search is bounded. Deterministic.
 */
export function diff(before: readonly string[], after: readonly string[]): Hunk[] {
  const ids = new Map<string, number>();
  const intern = (key: string) => {
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  };
  const [a, b] = [before.map(intern), after.map(intern)];
  const matched: Lists["matched"] = a.map(() => undefined);
  align({ a, b, matched }, { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }, DEEPEST);
  return hunksOf(matched);
}

interface Lists {
  a: number[];
  b: number[];
  /** For each item of `a` its partner in `b`, and for the end of `a` that of `b`. */
  matched: (number | undefined)[];
}
interface Stretch {
  aFrom: number;
  aTo: number;
  bFrom: number;
  bTo: number;
}

/** Finds partners for the items of a stretch whose ends are partners. */
function align(lists: Lists, stretch: Stretch, depth: number): void {
  const { a, b, matched } = lists;
  let { aFrom, aTo, bFrom, bTo } = stretch;
  matched[aTo] = bTo;
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) matched[aFrom++] = bFrom++;
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) matched[--aTo] = --bTo;
  if (aFrom === aTo || bFrom === bTo) return;
  const inner = { aFrom, aTo, bFrom, bTo };
  const anchors = depth > 0 ? anchorsOf(lists, inner) : [];
  if (anchors.length === 0) {
    myers(lists, inner);
    return;
  }
  let [aAt, bAt] = [aFrom, bFrom];
  for (const next of [...anchors, { a: aTo, b: bTo }]) {
    align(lists, { aFrom: aAt, aTo: next.a, bFrom: bAt, bTo: next.b }, depth - 1);
    [aAt, bAt] = [next.a + 1, next.b + 1];
  }
}

/** A pair of partners, with the one before it in a rising chain. */
interface Anchor {
  a: number;
  b: number;
  before?: Anchor;
}

/** The longest rising chain of items that are unique on both sides. */
function anchorsOf({ a, b }: Lists, { aFrom, aTo, bFrom, bTo }: Stretch): Anchor[] {
  const partners = placesIn(b, bFrom, bTo);
  // The chain of each length that ends first in `b`.
  const ends: Anchor[] = [];
  for (const [id, at] of placesIn(a, aFrom, aTo)) {
    const partner = partners.get(id);
    if (at === undefined || partner === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]!.b < partner) low = middle + 1;
      else high = middle;
    }
    ends[low] = { a: at, b: partner, before: ends[low - 1] };
  }
  const chain: Anchor[] = [];
  for (let anchor = ends.at(-1); anchor; anchor = anchor.before) chain.push(anchor);
  return chain.reverse();
}

/** The place of each item of a stretch; undefined for those that are there more than once. */
function placesIn(list: number[], from: number, to: number): Map<number, number | undefined> {
  const places = new Map<number, number | undefined>();
  for (let at = from; at < to; at += 1) places.set(list[at]!, places.has(list[at]!) ? undefined : at);
  return places;
}

/**
 * Myers' greedy search in a stretch that begins with no item that both sides have in common; gives up beyond MOST_STEPS
 * and leaves the stretch unmatched. A step removes an item of `a` or inserts one of `b`. After each number of steps
 * `reach` says how far one gets in `a` at most, by how many of them removed one.
 */
function myers({ a, b, matched }: Lists, { aFrom, aTo, bFrom, bTo }: Stretch): void {
  const reaches: number[][] = [];
  for (let steps = 0; steps <= MOST_STEPS; steps += 1) {
    const before = reaches.at(-1) ?? [];
    const reach: number[] = [];
    for (let removed = 0; removed <= steps; removed += 1) {
      let at = startOf(before, removed);
      let partner = bFrom + (at - aFrom - removed) + (steps - removed);
      while (at < aTo && partner < bTo && a[at] === b[partner]) {
        at += 1;
        partner += 1;
      }
      if (at === aTo && partner === bTo) {
        matchBack(removed);
        return;
      }
      reach.push(at);
    }
    reaches.push(reach);
  }

  /** Where the last step leads that makes it so many removals. */
  function startOf(before: number[], removed: number): number {
    const byRemoval = removed > 0 ? before[removed - 1]! + 1 : aFrom;
    return Math.max(byRemoval, before[removed] ?? aFrom);
  }

  /** Goes the way back from the ends: what was passed without a step is matched. */
  function matchBack(removals: number): void {
    let [removed, at, partner] = [removals, aTo, bTo];
    for (let before = reaches.pop(); before; before = reaches.pop()) {
      const start = startOf(before, removed);
      while (at > start) matched[--at] = --partner;
      if (before[removed] === start) partner -= 1;
      else {
        at -= 1;
        removed -= 1;
      }
    }
  }
}

function hunksOf(matched: Lists["matched"]): Hunk[] {
  const hunks: Hunk[] = [];
  let [start, from] = [0, 0];
  for (const [at, partner] of matched.entries()) {
    if (partner === undefined) continue;
    if (at > start || partner > from) hunks.push({ start, end: at, from, to: partner });
    [start, from] = [at + 1, partner + 1];
  }
  return hunks;
}
