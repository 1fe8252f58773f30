import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Has events about these spaces wait until the transaction ends. */
export async function lockSpaceChanges({ db }: Ctx, spaces: string[]): Promise<void> {
  if (spaces.length === 0) return;
  await db
    .insertInto("space_change")
    .values(spaces.toSorted().map((space) => ({ space })))
    .onConflict((conflict) => conflict.column("space").doUpdateSet({ changes: sql`space_change.changes` }))
    .execute();
}

/** Notes that a space was moved, or left its organization, when nobody is about to show it; whoever is next asks content anew. */
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
