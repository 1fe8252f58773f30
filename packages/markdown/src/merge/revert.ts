import { type KeyPlace, placesOfKeys } from "../document/places.js";
import type { Hunk } from "./diff.js";
import { join, type Piece, piecesIn } from "./join.js";
import { type Bodies, type Body, changesOf, cutPage } from "./regions.js";

/** What comes of putting blocks back: a text, keys that neither text has, or nothing where blocks cannot be distinguished. */
export type Reverted = { markdown: string; unknown?: undefined } | { unknown: string[] } | undefined;

/**
 * A page's markdown in which some blocks are again as they were. A block is named by its key in the page as it is, or
 * as it was: what was edited is put back, what came anew goes, and what is gone comes back. Everything else stays, byte
 * for byte.
 */
export function revertBlocks(now: string, then: string, keys: string[]): Reverted {
  const [here, there] = [placesOfKeys(now), placesOfKeys(then)];
  if (!here || !there) return undefined;
  const unknown = keys.filter((key) => ![...here, ...there].some((place) => place.key === key));
  if (unknown.length > 0) return { unknown };
  const [{ front, body: ours }, { front: thenFront, body: base }] = [cutPage(now), cutPage(then)];
  const edited = numbersOf(ours, front.length, here, keys);
  const former = numbersOf(base, thenFront.length, there, keys);
  const isNamed = ({ start, end, from, to }: Hunk) =>
    edited.some((number) => from <= number && number < to) ||
    former.some((number) => start <= number && number < end);
  return { markdown: front + joined({ base, ours, theirs: base }, isNamed) };
}

/** Which blocks of a body the keys name. */
function numbersOf(body: Body, front: number, places: KeyPlace[], keys: string[]): number[] {
  const starts: number[] = [];
  let at = front;
  body.blocks.forEach((block, index) => {
    at += body.gaps[index]!.length;
    starts.push(at);
    at += block.length;
  });
  const wanted = new Set(keys);
  return places
    .filter(({ key }) => wanted.has(key))
    .map((place) => starts.findLastIndex((start) => start <= place.at));
}

/** The blocks of `ours`, in the changes that are named those of `base`. */
function joined(bodies: Bodies, isNamed: (hunk: Hunk) => boolean): string {
  const pieces: Piece[] = [];
  const place = { base: 0, ours: 0 };
  const keepUntil = (end: number) => {
    for (; place.base < end; place.base += 1, place.ours += 1)
      pieces.push({ text: bodies.ours.blocks[place.ours]!, at: { ...place, theirs: place.base } });
  };
  for (const hunk of changesOf(bodies.base, bodies.ours).flatMap(blockByBlock)) {
    keepUntil(hunk.start);
    const [span, side] = isNamed(hunk)
      ? [{ from: hunk.start, to: hunk.end }, "base" as const]
      : [{ from: hunk.from, to: hunk.to }, "ours" as const];
    pieces.push(...piecesIn(bodies, side, span));
    Object.assign(place, { base: hunk.end, ours: hunk.to });
  }
  keepUntil(bodies.base.blocks.length);
  return join(pieces, bodies);
}

/**
 * Of blocks that others took the place of, each goes with the one that stands there now; what is left over goes
 * together, and may be nothing.
 */
function blockByBlock({ start, end, from, to }: Hunk): Hunk[] {
  const pairs = Math.min(end - start, to - from);
  const steps = Array.from({ length: pairs }, (_, step) => step);
  const paired = steps.map((step) => ({
    start: start + step,
    end: start + step + 1,
    from: from + step,
    to: from + step + 1,
  }));
  return [...paired, { start: start + pairs, end, from: from + pairs, to }];
}
