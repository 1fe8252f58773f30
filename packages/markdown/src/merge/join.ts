import { either } from "./fields.js";
import { type Bodies, type Body, type Span, VERSIONS, type Version } from "./regions.js";

/** A block of the merged page and its place in each version that has it. */
export interface Piece {
  text: string;
  at: { [Name in Version]?: number };
}

/** The blocks of one version in a span. */
export const piecesIn = (bodies: Bodies, version: Version, { from, to }: Span): Piece[] =>
  bodies[version].blocks.slice(from, to).map((text, step) => ({ text, at: { [version]: from + step } }));

/** The pieces with the blank space that stood between them in the version that has them side by side. */
export function join(pieces: Piece[], bodies: Bodies): string {
  const edge = (place: (body: Body) => number): Piece => ({
    text: "",
    at: { base: place(bodies.base), ours: place(bodies.ours), theirs: place(bodies.theirs) },
  });
  const all = [edge(() => -1), ...pieces, edge(({ blocks }) => blocks.length)];
  const blank = blankLine(bodies);
  const out: string[] = [];
  for (let index = 1; index < all.length; index += 1) {
    const [before, after] = [all[index - 1]!, all[index]!];
    const inner = index > 1 && index < all.length - 1;
    out.push(
      before.text,
      gapBetween(before, after, bodies) ?? (inner ? blank : edgeGap(index === 1, bodies)),
    );
  }
  return out.join("");
}

function gapBetween(before: Piece, after: Piece, bodies: Bodies): string | undefined {
  const [base, ours, theirs] = VERSIONS.map((version) => {
    const [from, to] = [before.at[version], after.at[version]];
    return from !== undefined && to === from + 1 ? bodies[version].gaps[to] : undefined;
  });
  if (ours !== undefined && theirs !== undefined) return choose(base, ours, theirs);
  return ours ?? theirs ?? base;
}

const blankLine = ({ base, ours, theirs }: Bodies): string =>
  [base, ours, theirs].filter(({ gaps }) => gaps.some((gap) => gap.includes("\r\n"))).length > 1
    ? "\r\n\r\n"
    : "\n\n";

function edgeGap(first: boolean, { base, ours, theirs }: Bodies): string {
  const gap = ({ gaps }: Body) => gaps.at(first ? 0 : -1)!;
  return choose(gap(base), gap(ours), gap(theirs));
}

/** The text of the side that changed it; where both did, one of them. */
export function choose(base: string | undefined, ours: string, theirs: string): string {
  if (ours === base) return theirs;
  if (theirs === base) return ours;
  return either(ours, theirs);
}
