import { generateKeyBetween } from "fractional-indexing";

/** The order of siblings: by position, then by id. */
export const inOrder = (a: { position: string; id: string }, b: { position: string; id: string }) =>
  a.position < b.position ? -1 : a.position > b.position ? 1 : a.id < b.id ? -1 : 1;

/**
 * A position for a page at an index among its siblings (which are in order, and without the page itself), at their end
 * when there are fewer. Siblings that share a position stay together: the page goes behind them.
 */
export function positionAt(siblings: { position: string }[], wanted: number): string {
  const index = Math.min(wanted, siblings.length);
  const before = siblings[index - 1]?.position;
  const after = siblings.slice(index).find(({ position }) => before === undefined || position > before);
  return generateKeyBetween(before, after?.position);
}
