import { type QueryExecutorProvider, sql } from "kysely";
import type { z } from "zod";
import type { JobPayload, JobType } from "./define.js";

export interface EnqueueOptions {
  /**
   * At most one waiting job has this key: a new one replaces it. A job that already runs goes on beside the new
   * one, unless both are in one queue.
   */
  key?: string;
  /** Not before this time. */
  runAt?: Date;
  /** Jobs of one queue run one after the other, across all copies of the service. */
  queue?: string;
  /** Lower comes first; 0 by default. */
  priority?: number;
}

/** In which transaction a job is added, and for which request. */
interface EnqueueContext {
  db: QueryExecutorProvider;
  requestId?: string;
  traceparent?: string;
}

/**
 * Adds a job in the caller's transaction: it runs if and when that commits. Returns the job's id. Throws when
 * the payload is not what the job declares.
 */
export async function enqueue<Payload extends z.ZodType>(
  ctx: EnqueueContext,
  job: JobType<Payload>,
  payload: z.input<Payload>,
  options?: EnqueueOptions,
): Promise<number> {
  return (await enqueueAll(ctx, job, [payload], options))[0]!;
}

/** Adds a job for each of the payloads by one statement, as `enqueue` does; returns their ids. */
export const enqueueAll = <Payload extends z.ZodType>(
  ctx: EnqueueContext,
  job: JobType<Payload>,
  payloads: z.input<Payload>[],
  options: EnqueueOptions = {},
): Promise<number[]> =>
  enqueueEach(
    ctx,
    job,
    payloads.map((payload) => ({ payload, ...options })),
  );

/** A payload with options of its own. */
export interface Enqueued<Payload extends z.ZodType> extends EnqueueOptions {
  payload: z.input<Payload>;
}

/** Adds jobs with options of their own by one statement, as `enqueue` does; returns their ids. */
export async function enqueueEach<Payload extends z.ZodType>(
  ctx: EnqueueContext,
  job: JobType<Payload>,
  jobs: Enqueued<Payload>[],
): Promise<number[]> {
  const { requestId, traceparent } = ctx;
  const parcels = jobs.map(({ payload, key, runAt, queue, priority }): Parcel => {
    const parcel: JobPayload = { payload: job.payload.parse(payload), requestId, traceparent };
    return { parcel, key, queue, priority, run_at: runAt?.toISOString() };
  });
  const ids = await addJobs(ctx, job, parcels);
  // A waiting job with the same key that was taken in the very moment makes the queue add nothing. Now it is seen to run.
  const lost = parcels.filter((_, at) => ids[at] === null);
  const again = lost.length > 0 ? await addJobs(ctx, job, lost) : [];
  const all = ids.map((id) => id ?? again.shift() ?? null);
  if (all.length < jobs.length || all.includes(null)) throw new Error(`${job.name} was not enqueued`);
  return all.map(Number);
}

interface Parcel {
  parcel: JobPayload;
  key?: string;
  queue?: string;
  priority?: number;
  run_at?: string;
}

/** Adds jobs by one statement; returns their ids, null for one that was not added. */
async function addJobs(
  { db }: EnqueueContext,
  { name, attempts }: JobType<z.ZodType>,
  parcels: Parcel[],
): Promise<(number | null)[]> {
  const { rows } = await sql<{ id: number | null }>`
    select job.id from rows from (json_to_recordset(${JSON.stringify(parcels)}::json)
        as (parcel json, key text, queue text, priority int, run_at timestamptz)) with ordinality as each, add_job(
      identifier => ${name}::text,
      payload => each.parcel,
      queue_name => each.queue,
      run_at => each.run_at,
      max_attempts => ${attempts}::int,
      job_key => each.key,
      priority => each.priority) as job
    order by each.ordinality`.execute(db);
  return rows.map(({ id }) => id);
}
