import { splitBlocks } from "./blocks.js";
import { diff, type Hunk } from "./diff.js";
import { findFrontmatter } from "./frontmatter.js";
import { blankStart } from "./lines.js";
import { either, mergeFields } from "./merge-fields.js";

/** A place both sides changed differently; each text is the blocks (or frontmatter field) of that side, "" if gone. */
export interface MergeConflict {
  base: string;
  ours: string;
  theirs: string;
}
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
  const cut = (one: string) => findFrontmatter(one)?.after ?? 0;
  const front = mergeFields(base.slice(0, cut(base)), ours.slice(0, cut(ours)), theirs.slice(0, cut(theirs)));
  const body = mergeBodies({
    base: readBody(base.slice(cut(base))),
    ours: readBody(ours.slice(cut(ours))),
    theirs: readBody(theirs.slice(cut(theirs))),
  });
  const conflicts = [...front.conflicts, ...body.conflicts];
  return conflicts.length > 0 ? { conflict: true, conflicts } : { markdown: front.text + body.text };
}

/** `gaps[n]` is the blank space before block n, the last one that after the last block. */
interface Body {
  blocks: string[];
  gaps: string[];
  keys: string[];
}
type Version = "base" | "ours" | "theirs";
const VERSIONS: Version[] = ["base", "ours", "theirs"];
type Bodies = Record<Version, Body>;
/** A block of the merged page and its place in each version that has it. */
interface Piece {
  text: string;
  at: { [Name in Version]?: number };
}

function readBody(body: string): Body {
  const read: Body = { blocks: [], gaps: [""], keys: [] };
  for (const block of splitBlocks(body)) {
    const start = blankStart(block);
    let end = block.length;
    while (end > start && " \t\r\n".includes(block[end - 1]!)) end -= 1;
    read.gaps[read.gaps.length - 1] += block.slice(0, start);
    read.gaps.push(block.slice(end));
    read.blocks.push(block.slice(start, end));
    read.keys.push(block.slice(start, end).replaceAll(/\r\n?/g, "\n"));
  }
  return read;
}

function mergeBodies(bodies: Bodies): { text: string; conflicts: MergeConflict[] } {
  const { base, ours, theirs } = bodies;
  const pieces: Piece[] = [];
  const conflicts: MergeConflict[] = [];
  const place = { base: 0, ours: 0, theirs: 0 };
  for (const region of regionsOf(changesOf(base, ours), changesOf(base, theirs))) {
    keepUntil(region.start);
    const mine = spanOf(region, region.ours, place.ours - place.base);
    const yours = spanOf(region, region.theirs, place.theirs - place.base);
    const changed = region.theirs.length === 0 ? "ours" : "theirs";
    if (region.ours.length === 0 || region.theirs.length === 0) {
      const { from, to } = changed === "ours" ? mine : yours;
      for (let at = from; at < to; at += 1)
        pieces.push({ text: bodies[changed].blocks[at]!, at: { [changed]: at } });
    } else if (sameKeys(ours, mine, theirs, yours)) {
      for (let step = 0; step < mine.to - mine.from; step += 1) {
        const at = { ours: mine.from + step, theirs: yours.from + step };
        pieces.push({ text: either(ours.blocks[at.ours]!, theirs.blocks[at.theirs]!), at });
      }
    } else {
      conflicts.push({
        base: textOf(base, { from: region.start, to: region.end }),
        ours: textOf(ours, mine),
        theirs: textOf(theirs, yours),
      });
    }
    Object.assign(place, { base: region.end, ours: mine.to, theirs: yours.to });
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

/** A stretch of the base with the changes of both sides that touch each other in it. */
interface Region {
  start: number;
  end: number;
  ours: Hunk[];
  theirs: Hunk[];
}

function regionsOf(ours: Hunk[], theirs: Hunk[]): Region[] {
  const regions: Region[] = [];
  let [one, two] = [0, 0];
  while (one < ours.length || two < theirs.length) {
    const region: Region = { start: 0, end: 0, ours: [], theirs: [] };
    if (two === theirs.length || (one < ours.length && !isBefore(theirs[two]!, ours[one]!))) {
      region.ours.push(ours[one++]!);
    } else region.theirs.push(theirs[two++]!);
    for (;;) {
      const [mine, yours] = [ours[one], theirs[two]];
      if (mine && clashes(mine, region.theirs.at(-1))) region.ours.push(ours[one++]!);
      else if (yours && clashes(yours, region.ours.at(-1))) region.theirs.push(theirs[two++]!);
      else break;
    }
    const all = [...region.ours, ...region.theirs];
    region.start = all.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
    region.end = all.reduce((most, { end }) => Math.max(most, end), 0);
    regions.push(region);
  }
  return regions;
}

const isBefore = (one: Hunk, two: Hunk): boolean =>
  one.start < two.start || (one.start === two.start && one.end < two.end);

/** Changes of two sides that cannot both stand: overlapping ones, and insertions whose order would be a guess. */
function clashes(one: Hunk, two: Hunk | undefined): boolean {
  if (!two) return false;
  if (Math.max(one.start, two.start) < Math.min(one.end, two.end)) return true;
  const inserts = (hunk: Hunk) => hunk.start === hunk.end;
  const grows = (hunk: Hunk) => hunk.to - hunk.from > hunk.end - hunk.start;
  if (inserts(one) || inserts(two)) {
    const touch = one.start <= two.end && two.start <= one.end;
    const inside = (point: Hunk, hunk: Hunk) => hunk.start < point.start && point.start < hunk.end;
    return touch && (inside(one, two) || inside(two, one) || (grows(one) && grows(two)));
  }
  return false;
}

/** Blocks replaced by as many others are changes of one block each, so that neighbours do not clash. */
const changesOf = (base: Body, side: Body): Hunk[] =>
  diff(base.keys, side.keys).flatMap((hunk) => {
    const { start, end, from, to } = hunk;
    if (end - start !== to - from) return [hunk];
    const steps = Array.from({ length: end - start }, (_, step) => step);
    return steps
      .filter((step) => base.keys[start + step] !== side.keys[from + step])
      .map((step) => ({
        start: start + step,
        end: start + step + 1,
        from: from + step,
        to: from + step + 1,
      }));
  });

/** Where a region lies in a version; `shift` is how far that version's places are from the base's before it. */
function spanOf(region: Region, hunks: Hunk[], shift: number): { from: number; to: number } {
  const last = hunks.at(-1);
  return { from: region.start + shift, to: region.end + (last ? last.to - last.end : shift) };
}

type Span = { from: number; to: number };
const sameKeys = (ours: Body, mine: Span, theirs: Body, yours: Span): boolean =>
  mine.to - mine.from === yours.to - yours.from &&
  ours.keys.slice(mine.from, mine.to).every((key, step) => key === theirs.keys[yours.from + step]);

function textOf({ blocks, gaps }: Body, { from, to }: Span): string {
  return blocks
    .slice(from, to)
    .map((block, step) => block + gaps[from + step + 1])
    .join("");
}

/** The pieces with the blank space that stood between them in the version that has them side by side. */
function join(pieces: Piece[], bodies: Bodies): string {
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
function choose(base: string | undefined, ours: string, theirs: string): string {
  if (ours === base) return theirs;
  if (theirs === base) return ours;
  return either(ours, theirs);
}
