/** Replace `start`..`end` of the old list with `from`..`to` of the new one. */
export interface Hunk {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** More than this many steps of difference in one stretch, and the stretch counts as replaced as a whole. */
const MOST_STEPS = 400;
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
  const matched = new Int32Array(a.length).fill(-1);
  align({ a, b, matched }, { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }, 0);
  return hunksOf(matched, b.length);
}

interface Lists {
  a: number[];
  b: number[];
  /** For each item of `a` its partner in `b`, or -1. */
  matched: Int32Array;
}
interface Stretch {
  aFrom: number;
  aTo: number;
  bFrom: number;
  bTo: number;
}

function align(lists: Lists, stretch: Stretch, depth: number): void {
  const { a, b, matched } = lists;
  let { aFrom, aTo, bFrom, bTo } = stretch;
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) matched[aFrom++] = bFrom++;
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) matched[--aTo] = --bTo;
  if (aFrom === aTo || bFrom === bTo) return;
  const inner = { aFrom, aTo, bFrom, bTo };
  const anchors = depth < DEEPEST ? anchorsOf(lists, inner) : [];
  if (anchors.length === 0) {
    myers(lists, inner);
    return;
  }
  let [aAt, bAt] = [aFrom, bFrom];
  for (const [aNext, bNext] of [...anchors, [aTo, bTo] as const]) {
    align(lists, { aFrom: aAt, aTo: aNext, bFrom: bAt, bTo: bNext }, depth + 1);
    if (aNext < aTo) matched[aNext] = bNext;
    [aAt, bAt] = [aNext + 1, bNext + 1];
  }
}

/** The longest rising chain of items that are unique on both sides. */
function anchorsOf({ a, b }: Lists, { aFrom, aTo, bFrom, bTo }: Stretch): [number, number][] {
  const places = new Map<number, { a: number; b: number }>();
  const note = (id: number, side: "a" | "b", at: number) => {
    const place = places.get(id) ?? { a: -1, b: -1 };
    place[side] = place[side] === -1 ? at : -2;
    places.set(id, place);
  };
  for (let at = aFrom; at < aTo; at += 1) note(a[at]!, "a", at);
  for (let at = bFrom; at < bTo; at += 1) note(b[at]!, "b", at);
  const pairs = [...places.values()].filter((place) => place.a >= 0 && place.b >= 0);
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, { b: at }] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]!.b < at) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = index;
  }
  const chain: [number, number][] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index]!) {
    chain.push([pairs[index]!.a, pairs[index]!.b]);
  }
  return chain.reverse();
}

/**
 * Myers' greedy search in a stretch that begins with no item that both sides have in common; gives up beyond MOST_STEPS
 * and leaves the stretch unmatched.
 */
function myers({ a, b, matched }: Lists, { aFrom, aTo, bFrom, bTo }: Stretch): void {
  const [rows, columns] = [aTo - aFrom, bTo - bFrom];
  const most = Math.min(MOST_STEPS, rows + columns);
  const reach = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let steps = 0; steps <= most; steps += 1) {
    for (let lane = -steps; lane <= steps; lane += 2) {
      const at = lane + most + 1;
      const down = lane === -steps || (lane !== steps && reach[at - 1]! < reach[at + 1]!);
      let x = down ? reach[at + 1]! : reach[at - 1]! + 1;
      while (x < rows && x - lane < columns && a[aFrom + x] === b[bFrom + x - lane]) x += 1;
      reach[at] = x;
      if (x >= rows && x - lane >= columns) {
        backtrack({ trail, most, steps, lane });
        return;
      }
    }
    trail.push(reach.slice());
  }

  function backtrack(end: { trail: Int32Array[]; most: number; steps: number; lane: number }): void {
    let { steps, lane } = end;
    let x = rows;
    for (; steps > 0; steps -= 1) {
      const before = end.trail[steps - 1]!;
      const at = lane + end.most + 1;
      const down = lane === -steps || (lane !== steps && before[at - 1]! < before[at + 1]!);
      const start = down ? before[at + 1]! : before[at - 1]! + 1;
      while (x > start) {
        x -= 1;
        matched[aFrom + x] = bFrom + x - lane;
      }
      x = down ? start : start - 1;
      lane += down ? 1 : -1;
    }
  }
}

function hunksOf(matched: Int32Array, length: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [start, from] = [0, 0];
  for (let at = 0; at <= matched.length; at += 1) {
    const partner = at === matched.length ? length : matched[at]!;
    if (partner < 0) continue;
    if (at > start || partner > from) hunks.push({ start, end: at, from, to: partner });
    [start, from] = [at + 1, partner + 1];
  }
  return hunks;
}
