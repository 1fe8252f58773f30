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

/**
 * Adds a job in the caller's transaction: it runs if and when that commits. Returns the job's id. Throws when
 * the payload is not what the job declares.
 */
export async function enqueue<Payload extends z.ZodType>(
  ctx: { db: QueryExecutorProvider; requestId?: string; traceparent?: string },
  job: JobType<Payload>,
  payload: z.input<Payload>,
  options?: EnqueueOptions,
): Promise<number> {
  return (await enqueueAll(ctx, job, [payload], options))[0]!;
}

/** Adds a job for each of the payloads by one statement, as `enqueue` does; returns their ids. */
export async function enqueueAll<Payload extends z.ZodType>(
  ctx: { db: QueryExecutorProvider; requestId?: string; traceparent?: string },
  job: JobType<Payload>,
  payloads: z.input<Payload>[],
  { key, runAt, queue, priority }: EnqueueOptions = {},
): Promise<number[]> {
  const { requestId, traceparent } = ctx;
  const parcels = payloads.map(
    (payload): JobPayload => ({ payload: job.payload.parse(payload), requestId, traceparent }),
  );
  const { rows } = await sql<{ id: number }>`
    select job.id from json_array_elements(${JSON.stringify(parcels)}::json) as parcel, add_job(
      identifier => ${job.name}::text,
      payload => parcel.value,
      queue_name => ${queue ?? null}::text,
      run_at => ${runAt?.toISOString() ?? null}::timestamptz,
      max_attempts => ${job.attempts}::int,
      job_key => ${key ?? null}::text,
      priority => ${priority ?? null}::int) as job`.execute(ctx.db);
  if (rows.length < payloads.length) throw new Error(`${job.name} was not enqueued`);
  return rows.map(({ id }) => id);
}
