import { mergeMarkdown } from "@octavo/markdown/merge";
import type { Scope } from "../content/scope.js";
import { downloadOf } from "../files/download-url.js";
import type { Conflict, Sides } from "../store/combine.js";
import { partOf } from "../store/decide.js";
import { pagesBefore } from "../store/entries.js";
import { mergeBranch } from "../store/merge.js";
import { textsOf } from "../store/merge-bases.js";
import { type Entry, headOf, type Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { ConflictShape } from "./schema.js";

const SIDES = ["base", "primary", "own"] as const;
type Side = (typeof SIDES)[number];
const KINDS = { page: "page", file: "file", reusable: "reusable_content", variable: "variable" } as const;

/** What of a change request is still in conflict with the revision of the primary content that was reported. */
export async function conflictsOf(ctx: Ctx, { space, changeRequest }: Scope, limit: number) {
  const { id } = changeRequest!;
  const { conflict_primary: reported } = await ctx.db
    .selectFrom("change_request")
    .select("conflict_primary")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (reported === null) return {};
  const branch = await headOf(ctx, id);
  const { conflicts: all = [] } = await mergeBranch(ctx, space, branch, reported);
  if (all.length === 0) return {};
  const shown = all.slice(0, limit);
  const base = { branch: space, seq: branch.base_seq! };
  const view = await conflictView(ctx, shown, {
    base: { ...base, space, revision: "" },
    primary: { space, branch: space, revision: "", seq: reported },
    own: { space, branch: id, revision: "", base },
  });
  const more = all.length - shown.length;
  return { conflicts: shown.map(view), ...(more > 0 && { moreConflicts: more }) };
}

/** How conflicts look to clients, with what these look-ups need read for all of them at once. */
async function conflictView(ctx: Ctx, conflicts: Conflict[], versions: Record<Side, Version>) {
  const { space } = versions.own;
  const sides = conflicts.map(({ sides }) => sides);
  const [textOf, before] = await Promise.all([
    textsOf(ctx, space, sides),
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
  return ({ id, kind, title, properties, sides }: Conflict): ConflictShape => {
    const values = properties.map((name) => ({
      name: name === "document" && kind === "file" ? "downloadURL" : name,
      base: shownOf(sides.base, "base", name),
      primary: shownOf(sides.primary, "primary", name),
      own: shownOf(sides.own, "own", name),
    }));
    const blocks = properties.includes("document") && kind !== "file" ? blocksOf(sides, textOf) : undefined;
    return { id, kind: KINDS[kind], title, properties: values, blocks };
  };
}

/** The blocks of a text, and lines of its frontmatter, that both sides changed differently. */
function blocksOf({ base, primary, own }: Sides, textOf: (hash: string) => string) {
  const text = (entry: Entry | undefined) => (entry?.body ? textOf(entry.body) : "");
  const merged = mergeMarkdown({ base: text(base), ours: text(primary), theirs: text(own) });
  const conflicts = merged.conflict ? merged.conflicts : [];
  return conflicts.map(({ base, ours, theirs }) => ({ base, primary: ours, own: theirs }));
}

/** The pages that stand before those whose place is in conflict, on each side. */
async function placesOf(ctx: Ctx, versions: Record<Side, Version>, conflicts: Conflict[]) {
  const moved = conflicts.filter(({ properties }) => properties.includes("position"));
  const found = await Promise.all(
    SIDES.map(async (side) => {
      const entries = moved.flatMap(({ sides }) => sides[side] ?? []);
      return [side, await pagesBefore(ctx, versions[side], entries)] as const;
    }),
  );
  return Object.fromEntries(found) as Record<Side, Map<string, string>>;
}
