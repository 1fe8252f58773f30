import type { Hunk } from "./diff.js";
import { takeFields } from "./fields.js";
import { join, type Piece, piecesIn } from "./join.js";
import {
  type Bodies,
  changesOf,
  cutPage,
  cutPages,
  type Span,
  type Stretch,
  stretchesOf,
  type Version,
} from "./regions.js";

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
  const changes = changesOf(bodies.theirs, now.body);
  const added = new Set(changes.flatMap(({ from, to }) => now.body.keys.slice(from, to)));
  return (
    front +
    takeBlocks(bodies, (stretch) => isChanged(changes, stretch.theirs) || isTaken(bodies, stretch, added))
  );
}

/** The base with the blocks of `ours` in the conflicts that are decided. */
function takeBlocks(bodies: Bodies, decided: (stretch: Stretch) => boolean): string {
  const pieces: Piece[] = [];
  let kept = 0;
  for (const stretch of stretchesOf(bodies)) {
    const { base, ours, changed } = stretch;
    if (changed !== "conflict" || !decided(stretch)) continue;
    pieces.push(
      ...piecesIn(bodies, "base", { from: kept, to: base.from }),
      ...piecesIn(bodies, "ours", ours),
    );
    kept = base.to;
  }
  pieces.push(...piecesIn(bodies, "base", { from: kept, to: bodies.base.blocks.length }));
  return join(pieces, bodies);
}

/**
 * Whether the blocks in a place were changed. What comes to stand beside them leaves them as they were; where there are
 * none, only what comes to stand there is a change, not that of a neighbour.
 */
const isChanged = (changes: Hunk[], place: Span): boolean =>
  changes.some(({ start, end, from, to }) => {
    if (place.from < place.to) return start < place.to && end > place.from;
    const isInside = start < place.from && place.from < end;
    return isInside || (start <= place.from && place.from <= end && to - from > end - start);
  });

/** Whether all that ours has new in a place was added to the text: both are kept, and nothing is lost. */
function isTaken({ base, ours }: Bodies, place: Stretch, added: Set<string>): boolean {
  const before = new Set(base.keys.slice(place.base.from, place.base.to));
  const fresh = ours.keys.slice(place.ours.from, place.ours.to).filter((key) => !before.has(key));
  return fresh.length > 0 && fresh.every((key) => added.has(key));
}
