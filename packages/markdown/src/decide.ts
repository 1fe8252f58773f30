import { takeFields } from "./merge-fields.js";
import { join, type Piece, piecesIn } from "./merge-join.js";
import {
  type Bodies,
  type Body,
  changesOf,
  cutPage,
  cutPages,
  type Span,
  stretchesOf,
  type Version,
} from "./merge-regions.js";

type Versions = Record<Version, string>;

/**
 * The base of a merge after conflicts were decided: it takes the text of `ours` in the places that are in conflict and
 * where `wanted` is no longer what `theirs` was; all of them without `wanted`. Merged onto that base, the text of the
 * deciding side stands in these places for as long as `ours` stays what it was; everywhere else the merge is as before.
 * Rarely the taken blocks clash with a neighbour that did not clash until then: that is another conflict to decide.
 */
export function decideConflicts(versions: Versions, wanted?: string): string {
  const { fronts, bodies } = cutPages(versions);
  if (wanted === undefined) return takeFields(fronts) + takeBlocks(bodies, () => true);
  const now = cutPage(wanted);
  const front = takeFields(fronts, now.front);
  return front + takeBlocks(bodies, (place) => isChanged(bodies.theirs, now.body, place));
}

/** The base with the blocks of `ours` in the conflicts that are decided, told by their place in `theirs`. */
function takeBlocks(bodies: Bodies, decided: (place: Span) => boolean): string {
  const pieces: Piece[] = [];
  let kept = 0;
  for (const { base, ours, theirs, changed } of stretchesOf(bodies)) {
    if (changed !== "conflict" || !decided(theirs)) continue;
    pieces.push(
      ...piecesIn(bodies, "base", { from: kept, to: base.from }),
      ...piecesIn(bodies, "ours", ours),
    );
    kept = base.to;
  }
  pieces.push(...piecesIn(bodies, "base", { from: kept, to: bodies.base.blocks.length }));
  return join(pieces, bodies);
}

/** Whether the blocks in a place were changed. What comes to stand beside them leaves them as they were. */
const isChanged = (before: Body, after: Body, { from, to }: Span): boolean =>
  changesOf(before, after).some(({ start, end }) =>
    from === to ? start <= from && from <= end : start < to && end > from,
  );
