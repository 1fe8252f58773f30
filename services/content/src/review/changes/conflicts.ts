import type { MergeConflict } from "@octavo/markdown/merge/merge";
import { propertyOf, titleAlone } from "@octavo/markdown/source/source";
import { downloadOf } from "../../files/download-url.js";
import { derivedOnce } from "../../revisions/cached.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import { partOf } from "../../store/decide-entry.js";
import { pagesBefore } from "../../store/entries.js";
import { textsOf } from "../../store/merge-bases.js";
import { conflictsWith } from "../../store/merge-branch.js";
import type { Conflict, Sides, Texts } from "../../store/merge-entry.js";
import {
  branchAt,
  type Entry,
  headOf,
  primaryAt,
  type ReadPoint,
  versionOfBranch,
} from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { ConflictShape } from "./schema.js";

const SIDES = ["base", "primary", "own"] as const;
type Side = (typeof SIDES)[number];
const KINDS = { page: "page", file: "file", reusable: "reusable_content", variable: "variable" } as const;

/**
 * What a change request and the primary content changed differently since the revision that it stands on, and nothing
 * has decided. Costs what the change request changed, once for each pair of revisions.
 */
export async function conflictsOf(ctx: Ctx, { space, changeRequest }: ResolvedTarget): Promise<Conflicts> {
  const { id, status } = changeRequest!;
  const [primary, own] = await Promise.all([headOf(ctx, space), headOf(ctx, id)]);
  const base = primaryAt(space, own.base_seq!);
  const versions = {
    base,
    primary: primaryAt(space, primary.seq),
    own: branchAt(versionOfBranch(space, own), own.seq),
  };
  if (status === "merged" || own.base_seq === primary.seq) return { all: [], versions };
  const all = await derivedOnce(
    ctx,
    { space, version: { revision: `${primary.revision} ${own.revision}` } },
    {
      key: `conflicts ${id}`,
      make: () => conflictsWith(ctx, space, own, primary.seq),
      sizeOf: (conflicts) => 1000 + 5000 * conflicts.length,
    },
  );
  return { all, versions };
}

interface Conflicts {
  all: Conflict[];
  /** The three versions that they were found between. */
  versions: Record<Side, ReadPoint>;
}

/** How conflicts look to clients, with what their look-ups need read for all of them at once. */
export async function conflictViews(
  ctx: Ctx,
  conflicts: Conflict[],
  versions: Conflicts["versions"],
): Promise<ConflictShape[]> {
  if (conflicts.length === 0) return [];
  const { space } = versions.own;
  const sides = conflicts.map(({ sides }) => sides);
  // Also where a side has none: there is nothing to merge, but something to show.
  const shownTexts = conflicts.flatMap(({ kind, properties, sides }) =>
    kind !== "file" && properties.includes("document")
      ? SIDES.flatMap((side) => sides[side]?.body ?? [])
      : [],
  );
  const [known, before] = await Promise.all([
    textsOf(ctx, space, sides, shownTexts),
    placesOf(ctx, versions, conflicts),
  ]);
  const download = downloadOf(ctx, { space });
  const shownOf = (entry: Entry | undefined, side: Side, name: string) => {
    if (name === "deleted") return !entry && side !== "base";
    if (!entry) return undefined;
    if (name === "position") return { parent: entry.parent, after: before[side].get(entry.id) ?? null };
    return name === "document" && entry.kind === "file"
      ? download(entry)
      : (partOf(entry, name) ?? undefined);
  };
  const view = async ({ id, kind, title, properties, missing, sides }: Conflict): Promise<ConflictShape> => {
    const texts =
      properties.includes("document") && kind !== "file" ? await textsIn(properties, sides, known) : {};
    const shown = texts.hidden ? properties.filter((name) => name !== "document") : properties;
    const values = shown.map((name) => ({
      name: name === "document" && kind === "file" ? "downloadURL" : name,
      base: shownOf(sides.base, "base", name),
      primary: shownOf(sides.primary, "primary", name),
      own: shownOf(sides.own, "own", name),
    }));
    return { id, kind: KINDS[kind], title, properties: values, blocks: texts.blocks, missing };
  };
  const views: ConflictShape[] = [];
  for (const conflict of conflicts) views.push(await view(conflict));
  return views;
}

interface Shown {
  blocks?: ConflictShape["blocks"];
  /** The text conflicts in nothing but how properties are written that are in conflict themselves. */
  hidden?: boolean;
}

/** The blocks of a text, and lines of its frontmatter, that both sides changed differently. */
async function textsIn(properties: string[], sides: Sides, { textOf, merge }: Texts): Promise<Shown> {
  const text = (entry: Entry | undefined) => (entry?.body ? textOf(entry.body) : "");
  const { base, primary, own } = sides;
  const merged = await merge({ base: text(base), ours: text(primary), theirs: text(own) });
  if (!merged.conflict) return { blocks: [] };
  const blocks = merged.conflicts
    .filter((conflict) => !isProperty(conflict, properties, sides))
    .map(({ base, ours, theirs }) => ({ base, primary: ours, own: theirs }));
  return blocks.length > 0 ? { blocks } : { hidden: true };
}

/** Whether a place in a text is nothing but how a property is written that is in conflict itself. */
function isProperty({ field, ...texts }: MergeConflict, properties: string[], sides: Sides): boolean {
  if (field !== undefined) return properties.includes(propertyOf(field) ?? "");
  const says = (text: string, entry: Entry | undefined) => entry?.title === titleAlone(text);
  return (
    properties.includes("title") &&
    says(texts.base, sides.base) &&
    says(texts.ours, sides.primary) &&
    says(texts.theirs, sides.own)
  );
}

/** The pages that stand before those whose place is in conflict, on each side. */
async function placesOf(ctx: Ctx, versions: Record<Side, ReadPoint>, conflicts: Conflict[]) {
  const moved = conflicts.filter(({ properties }) => properties.includes("position"));
  const found = await Promise.all(
    SIDES.map(async (side) => {
      const entries = moved.flatMap(({ sides }) => sides[side] ?? []);
      return [side, await pagesBefore(ctx, versions[side], entries)] as const;
    }),
  );
  return Object.fromEntries(found) as Record<Side, Map<string, string>>;
}
