import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { jobsSchema } from "../database/connect.js";
import { runAsLeader } from "../database/leader.js";
import { pruneEvery } from "../events/prune.js";
import { newId } from "../ids.js";
import type { QueueOptions } from "./queue.js";

/** A job that has failed for good is kept for so long. */
const KEEP_FAILED = "30 days";

const PRUNE_MS = 3_600_000;
/** How often queues are looked for that nothing waits in, and for how long they may hold up whoever adds a job. */
const PRUNE_QUEUES_MS = 300_000;
const LOCK_MS = 100;
const LOCK_NOT_AVAILABLE = "55P03";

export interface HeartbeatOptions extends QueueOptions {
  /** Without a beat for so long, and without its lock, a process is dead to the others. */
  deadAfterMs: number;
}

/**
 * Records for the other copies that this process lives, and frees the jobs of those that do not: the queue itself
 * would keep them locked for hours. A process is dead when its connection, which holds an advisory lock, is
 * gone and its beats have stopped; so neither a busy event loop nor a restart of the database kills it.
 * `onLost` is called when this process itself must be taken for dead and has to end its jobs.
 */
export function startHeartbeat(
  options: HeartbeatOptions,
  workers: () => string[],
  onLost: () => void,
): { stop(): Promise<void> } {
  const { databaseUrl: url, schema, log, deadAfterMs } = options;
  const beatMs = deadAfterMs / 4;
  const id = newId();
  const role = `job process ${id}`;
  let lastBeat = Date.now();
  let strikes = 0;

  const watching = setInterval(() => {
    const late = Date.now() - lastBeat > (deadAfterMs * 2) / 3;
    // The first time it may be this process that was busy, and the beat's response is still to be read.
    strikes = late ? strikes + 1 : 0;
    if (strikes === 2) onLost();
  }, beatMs / 3);

  const holder = runAsLeader({ url, schema, role, log }, async ({ client, signal }) => {
    const table = `${client.escapeIdentifier(jobsSchema(schema))}.job_process`;
    const prune = pruneEvery(PRUNE_MS, () => pruneFailed(client, schema));
    const pruneEmpty = pruneEvery(PRUNE_QUEUES_MS, () => pruneQueues(client, schema));
    while (!signal.aborted) {
      await client.query(
        `insert into ${table} (id, workers) values ($1, $2)
         on conflict (id) do update set workers = excluded.workers, beat_at = now()`,
        [id, workers()],
      );
      lastBeat = Date.now();
      const freed = await freeJobs(client, schema, id, deadAfterMs);
      if (freed.length > 0) log.warn({ workers: freed }, "the jobs of processes that ended are free again");
      await prune();
      await pruneEmpty();
      await sleep(beatMs, undefined, { signal }).catch(() => undefined);
    }
    // A graceful stop leaves no job behind.
    await client.query(`delete from ${table} where id = $1`, [id]).catch(() => undefined);
  });

  return {
    stop: async () => {
      clearInterval(watching);
      await holder.stop();
    },
  };
}

/** Unlocks the jobs and queues of workers that belong to no living process; returns those workers. */
async function freeJobs(client: pg.Client, schema: string, self: string, deadAfterMs: number) {
  const within = client.escapeIdentifier(jobsSchema(schema));
  await client.query(
    `with silent as materialized (
       select id from ${within}.job_process
       where id <> $1 and beat_at < now() - $3 * interval '1 millisecond'
     )
     delete from ${within}.job_process where id in (
       select id from silent
       where pg_try_advisory_xact_lock(hashtextextended('octavo.leader.' || $2::text || '.job process ' || id, 0)))`,
    [self, schema, deadAfterMs],
  );
  const { rows } = await client.query<{ workers: string[] }>(
    `with locks as (
       select locked_by, locked_at from ${within}._private_jobs where locked_by is not null
       union all
       select locked_by, locked_at from ${within}._private_job_queues where locked_by is not null
     )
     select coalesce(array_agg(distinct locked_by), '{}') as workers from locks
     where locked_at < now() - $1 * interval '1 millisecond'
     and locked_by <> all (select unnest(workers) from ${within}.job_process)`,
    [deadAfterMs],
  );
  const dead = rows[0]!.workers;
  if (dead.length === 0) return dead;
  // One whose tries are used up is handed out once more, to be given up.
  await client.query(
    `update ${within}._private_jobs
     set last_error = 'The process that ran the job ended', max_attempts = greatest(max_attempts, attempts + 1)
     where locked_by = any($1::text[])`,
    [dead],
  );
  await client.query(`select ${within}.force_unlock_workers($1::text[])`, [dead]);
  await client.query(`select pg_notify('jobs:insert', '{"count":1}')`);
  return dead;
}

/**
 * Removes named queues without jobs: the library keeps them, and locks all of them for each job that it hands out. Whoever
 * adds a job holds a lock on the table until its transaction ends, so that no queue goes to which a job is being added;
 * while somebody does, they are left to the next time.
 */
async function pruneQueues(client: pg.Client, schema: string): Promise<boolean> {
  const within = client.escapeIdentifier(jobsSchema(schema));
  const empty = `from ${within}._private_job_queues as queue where locked_at is null
    and not exists (select from ${within}._private_jobs where job_queue_id = queue.id)`;
  const { rows } = await client.query(`select ${empty} limit 1`);
  if (rows.length === 0) return false;
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS}`);
    await client.query(`lock table ${within}._private_job_queues in share row exclusive mode`);
    await client.query(`delete ${empty}`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    if (!(error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
  }
  return false;
}

async function pruneFailed(client: pg.Client, schema: string): Promise<boolean> {
  const jobs = `${client.escapeIdentifier(jobsSchema(schema))}._private_jobs`;
  const { rowCount } = await client.query(
    `delete from ${jobs} where id in (select id from ${jobs}
     where attempts >= max_attempts and locked_at is null and run_at < now() - interval '${KEEP_FAILED}' limit 1000)`,
  );
  return rowCount === 1000;
}
