import { setTimeout as sleep } from "node:timers/promises";
import type { Migration } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { type Connection, connect } from "../database/connect.js";
import { migrate } from "../database/migrate.js";
import { newId } from "../ids.js";

export interface TestSchema<Database> extends Connection<Database> {
  schema: string;
  jobsSchema: string;
  url: string;
  /** Closes the pool and drops both schemas. */
  drop(): Promise<void>;
}

/**
 * A schema of its own (and the one of its job queue) on DATABASE_URL, migrated: what a test file works in, so
 * that files can run side by side.
 */
export async function testSchema<Database>(options: {
  service: string;
  migrations?: Record<string, Migration>;
  /** Prepares the job queue too, for tests that enqueue. */
  jobs?: boolean;
  max?: number;
}): Promise<TestSchema<Database>> {
  const { service, migrations = {}, jobs = false, max = 10 } = options;
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is not set: run the tests with vitest from the root");
  const schema = `test_${service}_${newId().slice(-12).toLowerCase()}`;
  const jobsSchema = `${schema}_jobs`;
  await asOwner(url, `create schema "${schema}"; create schema "${jobsSchema}"`);
  const connection = connect<Database>({ url, schema, max });
  if (Object.keys(migrations).length > 0) await migrate({ db: connection.db, migrations });
  if (jobs) {
    // Most tests enqueue nothing, and need not load the queue.
    const { prepareQueue } = await import("../jobs/queue.js");
    await prepareQueue({ databaseUrl: url, schema, log: pino({ level: "silent" }) });
  }
  return {
    ...connection,
    schema,
    jobsSchema,
    url,
    drop: async () => {
      await connection.close();
      await asOwner(url, `drop schema "${schema}" cascade`);
      await asOwner(url, `drop schema "${jobsSchema}" cascade`);
    },
  };
}

async function asOwner(url: string, statements: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** Asks until the response is truthy and returns it; throws after `timeoutMs` (10 s), with the last error if any. */
export async function waitFor<T>(
  fn: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (let cause: unknown; ; ) {
    try {
      const response = await fn();
      if (response) return response;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`nothing came within ${timeoutMs} ms`, { cause });
    await sleep(everyMs);
  }
}
