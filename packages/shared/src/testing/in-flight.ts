import { type Kysely, sql, type Transaction } from "kysely";
import { expect } from "vitest";

/**
 * Has a write meet a change that is committed while it is under way: `hold` locks what the write waits for, the write is
 * sent, and once it waits for exactly this transaction, `change` happens and all is committed. Returns how the write ended.
 */
export async function inFlight<Database, Result>(
  db: Kysely<Database>,
  steps: {
    hold: (trx: Transaction<Database>) => Promise<unknown>;
    write: () => Promise<Result>;
    change: (trx: Transaction<Database>) => Promise<unknown> | unknown;
  },
): Promise<PromiseSettledResult<Result>> {
  const ended = await db.transaction().execute(async (trx) => {
    await steps.hold(trx);
    const sent = Promise.allSettled([steps.write()]);
    const waiting = sql`select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => (await waiting.execute(trx)).rows.length).toBeGreaterThan(0);
    await steps.change(trx);
    // Not awaited here: the write goes on when this is committed.
    return () => sent;
  });
  const [result] = await ended();
  return result!;
}
