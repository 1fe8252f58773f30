import { setTimeout as sleep } from "node:timers/promises";
import type { IsolationLevel, Kysely } from "kysely";
import { failureOfPosted } from "./posted.js";
import { isStalePlan } from "./statements.js";

const TRIES = 4;

/**
 * Runs `fn` in one transaction: it gets the context with `db` being the transaction, and shadows the outer name.
 * Inside another transaction it joins that one. The outermost is run again when PostgreSQL asks for it
 * (serialization failure, deadlock), so `fn` does nothing but write to the database: what others shall learn
 * of it goes through `emit` or `enqueue`.
 */
export async function transact<Context extends { db: Kysely<Database> }, Database, Result>(
  ctx: Context & { db: Kysely<Database> },
  fn: (ctx: Context) => Promise<Result>,
  { isolation }: { isolation?: IsolationLevel } = {},
): Promise<Result> {
  if (ctx.db.isTransaction) return fn(ctx);
  for (let attempt = 1; ; attempt++) {
    try {
      const transaction = ctx.db.transaction();
      const begin = isolation ? transaction.setIsolationLevel(isolation) : transaction;
      return await begin.execute((db) =>
        fn({ ...ctx, db }).catch(async (error: unknown) => {
          throw (await failureOfPosted(db)) ?? error;
        }),
      );
    } catch (error) {
      if (attempt === TRIES || !isTransient(error)) throw error;
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

function isTransient(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "40001" || code === "40P01" || isStalePlan(error);
}
