// What the storage holds, as the database knows it. A content is announced before it is kept, and removed by who holds
// its row: so nobody removes what somebody else has just found.

import { sql } from "kysely";
import { GRACE_MS } from "../store/grace.js";
import type { Ctx } from "../trpc.js";

/**
 * Says that a content is about to be kept: from now on it stays for the time of grace, whatever names it. Committed at
 * once, so that everybody sees it; waits for a removal of the same content that is under way.
 */
export async function announce({ db, clock }: Pick<Ctx, "db" | "clock">, hash: string): Promise<void> {
  if (db.isTransaction) throw new Error("a file is received inside a transaction");
  const now = clock();
  const times = { received_at: now, check_at: new Date(now.getTime() + GRACE_MS) };
  await db
    .insertInto("stored_file")
    .values({ hash, ...times })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(times))
    .execute();
}

/** Has contents checked that lost an entry: at once, or at the end of their time of grace. */
export async function suspect({ db, clock }: Pick<Ctx, "db" | "clock">, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  const graceOver = sql`received_at + ${GRACE_MS} * interval '1 millisecond'`;
  await sql`update stored_file set check_at = greatest(${clock()}, ${graceOver})
    where hash in (select hash from stored_file where hash = any(${hashes}) order by hash for update)`.execute(
    db,
  );
}

/**
 * Checks up to `most` contents whose check is due, and removes those that no entry of any space, no computed
 * file and no upload names. Their rows are locked until the storage has let go of them: an upload of the same content
 * waits, and then keeps it anew. Returns how many were checked.
 */
export async function checkDue(
  { db, storage, clock }: Pick<Ctx, "db" | "storage" | "clock">,
  most: number,
): Promise<number> {
  const due = await db
    .selectFrom("stored_file")
    .select("hash")
    .where("check_at", "<=", clock().toISOString())
    .orderBy("check_at")
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
  const hashes = due.map(({ hash }) => hash);
  const { rows } = await sql<{ hash: string; used: boolean }>`
    select hash, exists (select 1 from entry where kind = 'file' and body = hash)
      or exists (select 1 from computed_file f where f.hash = due.hash)
      or exists (select 1 from storage_upload where content = hash) as used
    from unnest(${hashes}::text[]) as due (hash)`.execute(db);
  const [used, unused] = [true, false].map((which) =>
    rows.filter((row) => row.used === which).map(({ hash }) => hash),
  ) as [string[], string[]];
  await sql`update stored_file set check_at = null where hash = any(${used})`.execute(db);
  for (const hash of unused) await storage.remove(hash);
  await sql`delete from stored_file where hash = any(${unused})`.execute(db);
  return hashes.length;
}
