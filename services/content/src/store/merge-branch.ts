import { yielding } from "@octavo/shared/workers/yield";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { arrangePlaces } from "./arrange-places.js";
import { brokenPlaces } from "./broken-places.js";
import { arrangeIncludes } from "./includes.js";
import { askForMergeBases, withTexts } from "./merge-bases.js";
import { type Conflict, combine, type Outcome, type Sides } from "./merge-entry.js";
import {
  type BranchHead,
  COLUMNS,
  type Entry,
  entriesOf,
  primaryAt,
  type ReadPoint,
  unseen,
  unseenName,
} from "./version.js";

export type MergeResult =
  | { outcomes: Outcome[]; texts: string[]; hasDecisions: boolean; conflicts?: undefined }
  | { conflicts: Conflict[] };

/**
 * Combines a change request with the head of the primary branch, three-way from the revision it stands on, or from
 * where its decisions moved that. Costs what the change request touched. The response says for each touched entry what it
 * shall be, and whether there were decisions; nothing is written.
 */
export async function mergeBranch(ctx: Ctx, space: string, branch: BranchHead): Promise<MergeResult> {
  const primary = primaryAt(space);
  const { conflicts, outcomes, texts, hasDecisions } = await combineBranch(ctx, primary, branch);
  if (conflicts.length > 0) return { conflicts };
  await arrangePlaces(ctx, primary, outcomes);
  await arrangeIncludes(ctx, primary, outcomes);
  return { outcomes, texts, hasDecisions };
}

/** What a merge of a change request with the primary branch, as it was at a revision, would find in conflict, by id. */
export async function conflictsWith(
  ctx: Ctx,
  space: string,
  branch: BranchHead,
  at: number,
): Promise<Conflict[]> {
  const primary = primaryAt(space, at);
  return (await combineBranch(ctx, primary, branch)).conflicts;
}

async function combineBranch(ctx: Ctx, primary: ReadPoint, branch: BranchHead) {
  const { space } = primary;
  const base = primaryAt(space, branch.base_seq!);
  const bases = await askForMergeBases(ctx, branch.id);
  const sides = await sidesOf(ctx, branch.id, { base, primary });
  const moved = await bases();
  for (const side of sides) if (moved.has(side.id)) side.base = moved.get(side.id);
  const conflicts: Conflict[] = [];
  const outcomes: Outcome[] = [];
  const texts: string[] = [];
  const giveWay = yielding();
  for await (const { batch, texts: known } of withTexts(ctx, space, sides, (side) => [side])) {
    for (const side of batch) {
      await giveWay();
      const combined = await combine(side, known);
      if ("conflict" in combined) {
        conflicts.push(combined.conflict);
        continue;
      }
      if (combined.text !== undefined) texts.push(combined.text);
      outcomes.push({ ...side, result: combined.entry });
    }
  }
  if (conflicts.length === 0) conflicts.push(...(await brokenPlaces(ctx, { primary, base }, outcomes)));
  return { conflicts: onceEach(conflicts), outcomes, texts, hasDecisions: moved.size > 0 };
}

/** One conflict an entry, in the order of ids. */
function onceEach(conflicts: Conflict[]): Conflict[] {
  const known = new Map<string, Conflict>();
  for (const conflict of conflicts) if (!known.has(conflict.id)) known.set(conflict.id, conflict);
  return [...known.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

interface Side {
  side: "own" | "base" | "primary";
  removed: boolean;
}

/** What a change request holds of its own, and what two versions have of the same, by one query and in the order of ids. */
async function sidesOf(
  ctx: Ctx,
  branch: string,
  versions: Record<"base" | "primary", ReadPoint>,
): Promise<(Sides & { id: string })[]> {
  const same = sql`e.id = any(array(select id from own))`;
  const base = entriesOf(unseen(versions.base), same);
  const primary = entriesOf(unseen(versions.primary), same);
  const { rows } = await sql<Entry & Side>`with own as materialized (
      select ${COLUMNS}, e.removed from entry e where e.branch = ${unseenName(branch)} and e.to_seq is null)
    select 'own' as side, e.* from own e
    union all select 'base', e.*, false from (${base}) e
    union all select 'primary', e.*, false from (${primary}) e`.execute(ctx.db);
  const sides = new Map<string, Sides & { id: string }>();
  for (const { side, removed, ...entry } of rows) {
    const known = sides.get(entry.id) ?? {
      id: entry.id,
      base: undefined,
      primary: undefined,
      own: undefined,
    };
    sides.set(entry.id, { ...known, ...(!removed && { [side]: entry }) });
  }
  return [...sides.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}
