import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";

/** Whether anybody waits for a lock of a transaction before `outcome` has settled. */
export async function waitsFor<Database>(
  db: Kysely<Database>,
  transaction: Kysely<Database>,
  outcome: Promise<unknown>,
): Promise<boolean> {
  let isSettled = false;
  const markSettled = () => (isSettled = true);
  outcome.then(markSettled, markSettled);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
  for (;;) {
    const { rows: waiting } = await sql`
      select 1 from pg_stat_activity where ${rows[0]!.pid} = any(pg_blocking_pids(pid)) limit 1`.execute(db);
    if (waiting.length > 0) return true;
    if (isSettled) return false;
    await sleep(5);
  }
}
