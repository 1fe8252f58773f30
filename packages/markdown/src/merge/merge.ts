import { either, type MergeConflict, mergeFields } from "./fields.js";
import { choose, join, type Piece, piecesIn } from "./join.js";
import { type Bodies, cutPages, stretchesOf, textOf, VERSIONS } from "./regions.js";

export type { MergeConflict } from "./fields.js";

export type MergeResult =
  | { conflict?: undefined; markdown: string }
  | { conflict: true; conflicts: MergeConflict[] };

/**
 * Three-way merge by top-level block, and by field inside the frontmatter. What only one side changed is taken, the
 * same change on both sides is one, anything else is a conflict. Deterministic, and the same result when ours and
 * theirs change places. Line ends and blank lines alone never conflict.
 */
export function mergeMarkdown(versions: { base: string; ours: string; theirs: string }): MergeResult {
  const { base, ours, theirs } = versions;
  if (ours === theirs || theirs === base) return { markdown: ours };
  if (ours === base) return { markdown: theirs };
  const { fronts, bodies } = cutPages(versions);
  const front = mergeFields(fronts);
  const body = mergeBodies(bodies);
  const conflicts = [...front.conflicts, ...body.conflicts];
  return conflicts.length > 0 ? { conflict: true, conflicts } : { markdown: front.text + body.text };
}

function mergeBodies(bodies: Bodies): { text: string; conflicts: MergeConflict[] } {
  const pieces: Piece[] = [];
  const conflicts: MergeConflict[] = [];
  const { base, ours, theirs } = bodies;
  const place = { base: 0, ours: 0, theirs: 0 };
  for (const stretch of stretchesOf(bodies)) {
    keepUntil(stretch.base.from);
    if (stretch.changed === "conflict") {
      conflicts.push({
        base: textOf(base, stretch.base),
        ours: textOf(ours, stretch.ours),
        theirs: textOf(theirs, stretch.theirs),
      });
    } else if (stretch.changed === "both") {
      for (let step = 0; step < stretch.ours.to - stretch.ours.from; step += 1) {
        const at = { ours: stretch.ours.from + step, theirs: stretch.theirs.from + step };
        pieces.push({ text: either(ours.blocks[at.ours]!, theirs.blocks[at.theirs]!), at });
      }
    } else pieces.push(...piecesIn(bodies, stretch.changed, stretch[stretch.changed]));
    Object.assign(place, { base: stretch.base.to, ours: stretch.ours.to, theirs: stretch.theirs.to });
  }
  keepUntil(base.blocks.length);
  return { text: join(pieces, bodies), conflicts };

  function keepUntil(end: number): void {
    for (; place.base < end; place.base += 1, place.ours += 1, place.theirs += 1) {
      const [from, one, two] = VERSIONS.map((version) => bodies[version].blocks[place[version]]!);
      pieces.push({ text: choose(from!, one!, two!), at: { ...place } });
    }
  }
}
