import { uniqueSlug } from "@octavo/markdown/source/slug";
import { yielding } from "@octavo/shared/workers/yield";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { entriesById, MAX_NESTING, pagesBelowEach, withAncestors } from "./entries.js";
import { mergeBasesOf, withTexts } from "./merge-bases.js";
import { type Conflict, combine, type Sides, same } from "./merge-entry.js";
import { inOrder, positionAt } from "./order.js";
import { type BranchHead, COLUMNS, type Entry, entriesOf, primaryAt, type ReadPoint } from "./version.js";

/** One entry that the change request touched: what it made of it, and what comes out of combining it. */
export interface Outcome {
  id: string;
  base: Entry | undefined;
  own: Entry | undefined;
  primary: Entry | undefined;
  result: Entry | undefined;
}

export type MergeResult =
  | { outcomes: Outcome[]; texts: string[]; conflicts?: undefined }
  | { conflicts: Conflict[] };

/**
 * Combines a change request with the head of the primary branch, three-way from the revision it stands on, or from
 * where its decisions moved that. Costs what the change request touched. The answer says for each touched entry what it
 * shall be; nothing is written.
 */
export async function mergeBranch(ctx: Ctx, space: string, branch: BranchHead): Promise<MergeResult> {
  const primary = primaryAt(space);
  const { conflicts, outcomes, texts } = await combineBranch(ctx, primary, branch);
  if (conflicts.length > 0) return { conflicts };
  await settlePlaces(ctx, primary, outcomes);
  return { outcomes, texts };
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
  const own = await ownEntries(ctx, branch.id);
  const ids = [...own.keys()];
  const [bases, moved, primaries] = await Promise.all([
    entriesById(ctx, base, ids),
    mergeBasesOf(ctx, branch.id),
    entriesById(ctx, primary, ids),
  ]);
  const baseOf = (id: string) => (moved.has(id) ? moved.get(id) : bases.get(id));
  const sides = ids.map((id) => ({ id, base: baseOf(id), primary: primaries.get(id), own: own.get(id) }));
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
  return { conflicts: onceEach(conflicts), outcomes, texts };
}

/** One conflict an entry, in the order of ids. */
function onceEach(conflicts: Conflict[]): Conflict[] {
  const known = new Map<string, Conflict>();
  for (const conflict of conflicts) if (!known.has(conflict.id)) known.set(conflict.id, conflict);
  return [...known.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** What a change request holds of its own; a removed entry is there as undefined. */
async function ownEntries(ctx: Ctx, branch: string): Promise<Map<string, Entry | undefined>> {
  const { rows } = await sql<Entry & { removed: boolean }>`select ${COLUMNS}, e.removed from entry e
    where e.branch = ${branch} and e.to_seq is null order by e.id`.execute(ctx.db);
  return new Map(rows.map(({ removed, ...entry }) => [entry.id, removed ? undefined : entry]));
}

/** Places that combine to no tree: a parent that is gone, pages left behind by a deletion, a page above itself. */
async function brokenPlaces(
  ctx: Ctx,
  { primary, base }: Record<"primary" | "base", ReadPoint>,
  outcomes: Outcome[],
): Promise<Conflict[]> {
  const results = new Map(outcomes.map(({ id, result }) => [id, result]));
  const placed = outcomes.filter(
    ({ result, primary }) => result && result.kind === "page" && !same(result, primary),
  );
  const removed = outcomes.filter(({ result, primary }) => primary && !result).map(({ id }) => id);
  const orphans = (await childrenOf(ctx, primary, removed))
    .filter((child) => !results.has(child.id) || results.get(child.id)?.parent === child.parent)
    .filter((child) => !removed.includes(child.id));
  const touched = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const untouched = orphans.filter(({ id }) => !touched.has(id)).map(({ id }) => id);
  const bases = await entriesById(ctx, base, untouched);
  const conflicts = orphans.map((child) => {
    const before = bases.get(child.id);
    const { base, own } = touched.get(child.id) ?? { base: before, own: before };
    return conflictOf(child, own ? "position" : "deleted", { base, primary: child, own });
  });
  const above = await withAncestors(ctx, primary, [
    ...new Set(placed.flatMap(({ result }) => result!.parent ?? [])),
  ]);
  const entryAt = (id: string) => (results.has(id) ? results.get(id) : above.get(id));
  for (const { result, base, primary, own } of placed) {
    const seen = new Set([result!.id]);
    for (let parent = result!.parent; parent !== null; ) {
      const entry = entryAt(parent);
      if (!entry || seen.has(parent)) {
        const conflict = conflictOf(result!, "position", { base, primary, own });
        conflicts.push(entry ? conflict : { ...conflict, missing: parent });
        break;
      }
      seen.add(parent);
      parent = entry.parent;
    }
  }
  return conflicts.length > 0 ? conflicts : tooDeep(ctx, primary, placed, results, above);
}

/** Pages that come to stand elsewhere, and with what is below them are nested too deep there. */
async function tooDeep(
  ctx: Ctx,
  primary: ReadPoint,
  placed: Outcome[],
  results: Map<string, Entry | undefined>,
  above: Map<string, Entry>,
): Promise<Conflict[]> {
  const moved = new Map(
    placed
      .filter(({ result, primary }) => result!.parent !== primary?.parent)
      .map((outcome) => [outcome.id, outcome]),
  );
  const here = [...moved.values()].flatMap(({ id, primary }) => (primary ? [id] : []));
  const below = (await pagesBelowEach(ctx, primary, here)).filter(({ id }) => !results.has(id));
  const known = new Map([...above, ...below.map((entry) => [entry.id, entry] as const), ...results]);
  const conflicting = new Set<Outcome>();
  for (const id of [...moved.keys(), ...below.map(({ id }) => id)]) {
    let level = 0;
    let mover: Outcome | undefined;
    for (let at: string | null = id; at !== null && level <= MAX_NESTING; level += 1) {
      mover ??= moved.get(at);
      at = known.get(at)?.parent ?? null;
    }
    if (level > MAX_NESTING && mover) conflicting.add(mover);
  }
  return [...conflicting].map(({ result, base, primary, own }) =>
    conflictOf(result!, "position", { base, primary, own }),
  );
}

const conflictOf = ({ id, kind, title }: Entry, property: string, sides: Sides): Conflict => ({
  id,
  kind,
  title,
  properties: [property],
  sides,
});

async function childrenOf(ctx: Ctx, version: ReadPoint, parents: string[]): Promise<Entry[]> {
  if (parents.length === 0) return [];
  const { rows } =
    await sql<Entry>`${entriesOf(version, sql`e.kind = 'page' and e.parent = any(${parents})`)}`.execute(
      ctx.db,
    );
  return rows;
}

/** Pages that come to stand beside others: the later slug gets a suffix, and no two share a position. */
async function settlePlaces(ctx: Ctx, primary: ReadPoint, outcomes: Outcome[]): Promise<void> {
  const arriving = outcomes.filter(({ result, primary }) => {
    if (result?.kind !== "page") return false;
    return (
      !primary ||
      primary.parent !== result.parent ||
      primary.slug !== result.slug ||
      primary.position !== result.position
    );
  });
  for (const parent of new Set(arriving.map(({ result }) => result!.parent))) {
    const leaving = new Set(outcomes.map(({ id }) => id));
    const staying = await siblings(ctx, primary, parent);
    const beside = staying.filter(({ id }) => !leaving.has(id));
    for (const { id, result } of outcomes) {
      if (result?.parent === parent && result.kind === "page" && !arriving.some((one) => one.id === id))
        beside.push(result);
    }
    beside.sort(inOrder);
    for (const outcome of arriving) {
      const page = outcome.result!;
      if (page.parent !== parent) continue;
      outcome.result = { ...page, ...settle(page, beside) };
      beside.push(outcome.result);
      beside.sort(inOrder);
    }
  }
}

type Sibling = Pick<Entry, "id" | "position" | "slug">;

function settle({ slug, position }: Entry, beside: Sibling[]): Pick<Entry, "slug" | "position"> {
  const taken = new Set(beside.map((sibling) => sibling.slug ?? ""));
  const crowded = beside.some((sibling) => sibling.position === position);
  const behind = beside.filter((sibling) => sibling.position <= position).length;
  return {
    slug: slug === null ? null : uniqueSlug(slug, taken),
    position: crowded ? positionAt(beside, behind) : position,
  };
}

async function siblings(ctx: Ctx, version: ReadPoint, parent: string | null): Promise<Sibling[]> {
  const where = parent === null ? sql`e.parent is null` : sql`e.parent = ${parent}`;
  const { rows } =
    await sql<Sibling>`${entriesOf(version, sql`e.kind = 'page' and ${where}`, sql`e.id, e.position, e.slug`)}`.execute(
      ctx.db,
    );
  return rows;
}
