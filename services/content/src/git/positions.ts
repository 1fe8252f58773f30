import { generateNKeysBetween } from "fractional-indexing";

/** A position that grew longer than this by pages put beside each other again and again is written anew. */
const LONGEST = 60;

/**
 * Positions of siblings, in their order: as few as possible are other than those that they have; null is one without.
 * They are compared by their characters.
 */
export function positionsInOrder(known: (string | null)[]): string[] {
  const kept = longestRise(known);
  const positions: string[] = [];
  let before: string | null = null;
  try {
    for (const at of kept) {
      positions.push(...generateNKeysBetween(before, known[at]!, at - positions.length), known[at]!);
      before = known[at]!;
    }
    positions.push(...generateNKeysBetween(before, null, known.length - positions.length));
  } catch {
    // What is there is no such key.
    return generateNKeysBetween(null, null, known.length);
  }
  const hasGrown = positions.some((position, at) => position.length > LONGEST && position !== known[at]);
  return hasGrown ? generateNKeysBetween(null, null, known.length) : positions;
}

/** The indexes of a longest part of a list that rises, without what is null. */
function longestRise(list: (string | null)[]): number[] {
  /** For each length of a rise, where the one ends that ends lowest. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, value] of list.entries()) {
    if (value === null) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = at;
  }
  const rise: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(at);
  return rise.reverse();
}
