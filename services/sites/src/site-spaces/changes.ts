import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Per space how often content told of a change of its whereabouts; spaces that never changed are absent. */
export async function changesOf({ db }: Ctx, spaces: string[]): Promise<Map<string, number>> {
  if (spaces.length === 0) return new Map();
  const rows = await db.selectFrom("space_change").selectAll().where("space", "=", anyOf(spaces)).execute();
  return new Map(rows.map(({ space, changes }) => [space, changes]));
}

/** Whether nothing changed since `before` was read; from then on events about these spaces wait for the commit. */
export async function unchanged(
  { db }: Ctx,
  spaces: string[],
  before: Map<string, number>,
): Promise<boolean> {
  if (spaces.length === 0) return true;
  const rows = await db
    .insertInto("space_change")
    .values(spaces.toSorted().map((space) => ({ space })))
    .onConflict((conflict) => conflict.column("space").doUpdateSet({ changes: sql`space_change.changes` }))
    .returningAll()
    .execute();
  return rows.every(({ space, changes }) => changes === (before.get(space) ?? 0));
}

/** Notes that a space changed its whereabouts; whoever is about to show it will ask content again. */
export async function noteChange({ db }: Ctx, space: string): Promise<void> {
  await db
    .insertInto("space_change")
    .values({ space, changes: 1 })
    .onConflict((conflict) =>
      conflict.column("space").doUpdateSet({ changes: sql`space_change.changes + 1` }),
    )
    .execute();
}

/** A purged space never comes back, and nobody can be shown it any more. */
export async function forget({ db }: Ctx, space: string): Promise<void> {
  await db.deleteFrom("space_change").where("space", "=", space).execute();
}
