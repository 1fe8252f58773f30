import { splitBlocks } from "../blocks/blocks.js";
import { blankStart } from "../blocks/lines.js";
import { findFrontmatter } from "../yaml/frontmatter.js";
import { diff, type Hunk } from "./diff.js";

/** `gaps[n]` is the blank space before block n, the last one that after the last block. */
export interface Body {
  blocks: string[];
  gaps: string[];
  keys: string[];
}
export type Version = "base" | "ours" | "theirs";
export const VERSIONS: Version[] = ["base", "ours", "theirs"];
export type Bodies = Record<Version, Body>;
/** A page's frontmatter with its `---` lines ("" when there is none), and what follows. */
export function cutPage(page: string): { front: string; body: Body } {
  const at = findFrontmatter(page)?.after ?? 0;
  return { front: page.slice(0, at), body: readBody(page.slice(at)) };
}

/** The three versions of a page, cut. */
export function cutPages({ base, ours, theirs }: Record<Version, string>): {
  fronts: Record<Version, string>;
  bodies: Bodies;
} {
  const cut = { base: cutPage(base), ours: cutPage(ours), theirs: cutPage(theirs) };
  return {
    fronts: { base: cut.base.front, ours: cut.ours.front, theirs: cut.theirs.front },
    bodies: { base: cut.base.body, ours: cut.ours.body, theirs: cut.theirs.body },
  };
}

/** The text below the frontmatter, cut into top-level blocks. */
function readBody(body: string): Body {
  const read: Body = { blocks: [], gaps: [""], keys: [] };
  for (const block of splitBlocks(body)) {
    const start = blankStart(block);
    let end = block.length;
    while (end > start && " \t\r\n".includes(block[end - 1]!)) end -= 1;
    const text = block.slice(start, end);
    read.gaps[read.gaps.length - 1] += block.slice(0, start);
    read.gaps.push(block.slice(end));
    read.blocks.push(text);
    read.keys.push(text.replaceAll(/\r\n?/g, "\n"));
  }
  return read;
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

/** What a side changed. Blocks replaced by as many others are changes of one block each, so that neighbours do not clash. */
export const changesOf = (base: Body, side: Body): Hunk[] =>
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

/** Places in the list of a body's blocks. */
export interface Span {
  from: number;
  to: number;
}

/** A stretch of the base that was changed, where each version has it, and by whom; `both` made the same of it. */
export interface Stretch {
  base: Span;
  ours: Span;
  theirs: Span;
  changed: "ours" | "theirs" | "both" | "conflict";
}

/** The stretches that were changed, in order. Between them all three versions have the same blocks. */
export function stretchesOf({ base, ours, theirs }: Bodies): Stretch[] {
  const shift = { ours: 0, theirs: 0 };
  return regionsOf(changesOf(base, ours), changesOf(base, theirs)).map((region) => {
    const mine = spanOf(region, region.ours, shift.ours);
    const yours = spanOf(region, region.theirs, shift.theirs);
    shift.ours = mine.to - region.end;
    shift.theirs = yours.to - region.end;
    const span = { base: { from: region.start, to: region.end }, ours: mine, theirs: yours };
    if (region.theirs.length === 0) return { ...span, changed: "ours" };
    if (region.ours.length === 0) return { ...span, changed: "theirs" };
    return { ...span, changed: sameKeys(ours, mine, theirs, yours) ? "both" : "conflict" };
  });
}

/** Where a region lies in a version; `shift` is how far that version's places are from the base's before it. */
function spanOf(region: Region, hunks: Hunk[], shift: number): Span {
  const last = hunks.at(-1);
  return { from: region.start + shift, to: region.end + (last ? last.to - last.end : shift) };
}

const sameKeys = (ours: Body, mine: Span, theirs: Body, yours: Span): boolean =>
  mine.to - mine.from === yours.to - yours.from &&
  ours.keys.slice(mine.from, mine.to).every((key, step) => key === theirs.keys[yours.from + step]);

/** The blocks in a span with the blank space behind each. */
export function textOf({ blocks, gaps }: Body, { from, to }: Span): string {
  return blocks
    .slice(from, to)
    .map((block, step) => block + gaps[from + step + 1])
    .join("");
}
