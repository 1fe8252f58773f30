import { Logger as QueueLogger, runMigrations } from "graphile-worker";
import pg from "pg";
import { clientSettings, jobsSchema } from "../database/connect.js";
import type { Logger } from "../log.js";

export interface QueueOptions {
  databaseUrl: string;
  /** The service's schema; the queue lives in `<schema>_jobs`, which has to exist. */
  schema: string;
  log: Logger;
}

/** A pool of so many connections for the queue alone, at most: it expects the parsers that pg comes with. */
export function queuePool(
  { databaseUrl: url, schema, log }: QueueOptions,
  max: number,
  statementTimeoutMs?: number,
): pg.Pool {
  const settings = clientSettings({ url, schema, applicationName: `${schema} jobs`, statementTimeoutMs });
  const pool = new pg.Pool({ ...settings, types: undefined, max });
  const lost = (error: Error) => log.warn({ err: error }, "a connection of the job queue was lost");
  pool.on("error", lost);
  pool.on("connect", (client) => void client.on("error", lost));
  return pool;
}

/** The queue's own words. What it says of a job is for debugging, for whoever runs the job says it better. */
export function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    const grave = (level === "error" || level === "warning") && !meta?.failure;
    log[grave ? "warn" : "debug"]({ queue: true }, message);
  });
}

/**
 * Brings the queue's schema up to date; concurrent starters take turns. The service's role owns the schema but
 * may not create one, and the library creates it together with its table of migrations unless that is there:
 * so the table is made first. Returns the number of the latest migration.
 */
export async function prepareQueue(options: QueueOptions): Promise<number> {
  const { schema, log } = options;
  // Whoever waits for another starter waits for as long as it takes.
  const pool = queuePool(options, 2, 0);
  const client = await pool.connect();
  const within = client.escapeIdentifier(jobsSchema(schema));
  try {
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [`octavo.jobs.${schema}`]);
    await client.query(
      `create table if not exists ${within}.migrations
         (id int primary key, ts timestamptz not null default now(), breaking boolean not null default false);
       create table if not exists ${within}.job_process
         (id text primary key, workers text[] not null, beat_at timestamptz not null default now())`,
    );
    await runMigrations({ pgPool: pool, schema: jobsSchema(schema), logger: queueLogger(log) });
    const { rows } = await client.query<{ latest: number }>(
      `select max(id)::int as latest from ${within}.migrations`,
    );
    return rows[0]!.latest;
  } finally {
    client.release();
    await pool.end();
  }
}
