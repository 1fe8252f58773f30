import { transact } from "@octavo/shared/database/transact";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/**
 * Checks up to `most` texts of one space whose check is due, and removes those that neither a revision nor a decided conflict names: an
 * import kept them that failed afterwards, or an edit replaced them before it was committed. Returns how many were checked.
 */
export function sweepBodies(ctx: Ctx, most: number): Promise<number> {
  return transact(ctx, async ({ db, clock }) => {
    const due = await db
      .selectFrom("body")
      .select("space")
      .where("check_at", "<=", clock().toISOString())
      .orderBy("check_at")
      .limit(1)
      .executeTakeFirst();
    if (!due) return 0;
    const { space } = due;
    const locked = await db
      .selectFrom("body")
      .select("hash")
      .where("space", "=", space)
      .where("check_at", "<=", clock().toISOString())
      .orderBy("hash")
      .limit(most)
      .forUpdate()
      .execute();
    const hashes = locked.map(({ hash }) => hash);
    // Each branch is looked through by its index, for all hashes at once; otherwise the planner might read the entries of
    // everybody, or compare each entry with each hash.
    await sql`with referenced as materialized (
        select distinct e.body from branch b cross join lateral (
          select entry.body from entry join unnest(${hashes}::text[]) as wanted (hash) on wanted.hash = entry.body
          where entry.branch = b.id offset 0) e
        where b.space = ${space}
        union select m.entry ->> 'body' from merge_base m join change_request c on c.id = m.change_request
        where c.space = ${space} and m.entry ->> 'body' = any(${hashes})),
      checked as (
        update body set check_at = null
        where space = ${space} and hash = any(${hashes}) and hash in (select body from referenced))
      delete from body
      where space = ${space} and hash = any(${hashes}) and hash not in (select body from referenced)`.execute(
      db,
    );
    return hashes.length;
  });
}
