import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { entriesById, MAX_NESTING, pagesBelowEach, withAncestors } from "./entries.js";
import { type Conflict, type Outcome, type Sides, same } from "./merge-entry.js";
import { type Entry, entriesOf, type ReadPoint } from "./version.js";

/**
 * Returns the conflicts of entries that combine one by one, but not to a tree: a parent that is gone, pages left behind
 * by a deletion, a page below itself, pages nested too deep.
 */
export async function brokenPlaces(
  ctx: Ctx,
  { primary, base }: Record<"primary" | "base", ReadPoint>,
  outcomes: Outcome[],
): Promise<Conflict[]> {
  const results = new Map(outcomes.map(({ id, result }) => [id, result]));
  const placed = outcomes.filter(
    ({ result, primary }) => result && result.kind === "page" && !same(result, primary),
  );
  const removed = outcomes.filter(({ result, primary }) => primary && !result).map(({ id }) => id);
  const orphans = (await childrenOf(ctx, primary, removed)).filter(
    (child) => !results.has(child.id) || results.get(child.id)?.parent === child.parent,
  );
  const touched = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const bases = await entriesById(
    ctx,
    base,
    orphans.map(({ id }) => id),
  );
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
  // Below what is new there is nothing yet.
  const here = [...moved.values()].flatMap(({ id, primary }) => (primary ? [id] : []));
  const below = await pagesBelowEach(ctx, primary, here);
  const known = new Map([...above, ...below.map((entry) => [entry.id, entry] as const), ...results]);
  const conflicting = new Set<Outcome>();
  for (const id of [...moved.keys(), ...below.map(({ id }) => id)]) {
    let level = 0;
    let mover: Outcome | undefined;
    for (let at: string | null | undefined = id; at && level <= MAX_NESTING; level += 1) {
      mover ??= moved.get(at);
      at = known.get(at)?.parent;
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
