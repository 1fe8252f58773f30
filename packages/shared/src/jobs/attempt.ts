import type { JobHelpers, Task } from "graphile-worker";
import type { Kysely } from "kysely";
import pg from "pg";
import { jobsSchema } from "../database/connect.js";
import { newId } from "../ids.js";
import type { Logger } from "../log.js";
import type { JobPayload } from "./define.js";
import type { JobHandler } from "./handle.js";

/** What a service builds the context of its jobs from. */
export interface JobBase<Database> {
  db: Kysely<Database>;
  log: Logger;
  requestId: string;
  traceparent?: string;
  /** Aborts at the job's deadline and when the service stops. */
  signal: AbortSignal;
}

export interface AttemptOptions<Context, Database> {
  db: Kysely<Database>;
  schema: string;
  log: Logger;
  context: (base: JobBase<Database>) => Context;
  /** The queue's own connections. */
  pool: pg.Pool;
  /** Aborts when the tries that run now have to end, whatever they are at. */
  cut: () => AbortSignal;
  /** After an abort a try has so long to end by itself; 5 s by default. */
  abortGraceMs?: number;
}

const ABORT_GRACE_MS = 5_000;

/** Makes the queue's tasks of jobHandlers: each try has its context, its deadline and its end. */
export function createAttempts<Context, Database>(options: AttemptOptions<Context, Database>) {
  const { db, context, log, abortGraceMs = ABORT_GRACE_MS } = options;
  const open = new Set<string>();

  return ({ job, run, giveUp }: JobHandler<Context>): Task =>
    async (parcel, helpers) => {
      const { id, attempts } = helpers.job;
      const { payload, requestId = newId(), traceparent } = parcel as JobPayload;
      const cut = options.cut();
      const deadline = AbortSignal.timeout(job.deadlineMs);
      const signal = AbortSignal.any([cut, deadline]);
      const bound = log.child({ job: job.name, jobId: id, requestId });
      const ctx = context({ db, log: bound, requestId, traceparent, signal });
      const numbers = { id: Number(id), attempt: attempts, lastAttempt: attempts >= job.attempts };
      const end = () => {
        // The signal of the try may have been aborted already.
        const ctx = context({ db, log: bound, requestId, traceparent, signal: cut });
        return giveUp?.({ ctx, payload });
      };

      if (attempts > job.attempts) {
        await end();
        throw new Error("The process that ran the job ended, and no try is left");
      }
      try {
        if (open.has(id)) throw new Error("an earlier try of the job has not ended yet");
        open.add(id);
        const work = run({ ctx, payload, job: numbers, signal });
        const ended = () => open.delete(id);
        work.then(ended, ended);
        await waitForEnd(work, signal, abortGraceMs);
      } catch (error) {
        if (cut.aborted) {
          await uncount(options, helpers);
          throw new Error("The try was cut short when the service stopped", { cause: error });
        }
        if (!deadline.aborted)
          bound.warn({ err: error, attempt: attempts, of: job.attempts }, "a job failed");
        if (numbers.lastAttempt) await giveUpOrRetry(options, helpers, end);
        if (!deadline.aborted) throw error;
        throw new Error(`The job took longer than ${job.deadlineMs} ms`, { cause: error });
      }
    };
}

/** Gives a job up after its last try. While that does not work, the try does not count as the last. */
async function giveUpOrRetry<Context, Database>(
  options: AttemptOptions<Context, Database>,
  helpers: JobHelpers,
  giveUp: () => Promise<void> | undefined,
): Promise<void> {
  try {
    await giveUp();
  } catch (error) {
    options.log.warn({ err: error, jobId: helpers.job.id }, "a job could not be given up, it is tried again");
    await uncount(options, helpers);
  }
}

/** The outcome of the work; when the signal aborts, the work has a little while to come to it. */
async function waitForEnd(work: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  const abandoned = new Promise<never>((_, reject) => {
    const late = () => reject(new Error("the job did not heed its signal"));
    signal.addEventListener("abort", () => setTimeout(late, graceMs).unref());
  });
  await Promise.race([work, abandoned]);
}

/** Takes back that a try counts: one that a graceful stop cut short is no fault of the job. */
async function uncount<Context, Database>(
  { pool, schema, log }: AttemptOptions<Context, Database>,
  { job }: JobHelpers,
) {
  const table = `${pg.escapeIdentifier(jobsSchema(schema))}._private_jobs`;
  await pool
    .query(
      `update ${table} set attempts = greatest(attempts - 1, 0) where id = $1 and locked_by is not null`,
      [job.id],
    )
    .catch((error: unknown) => log.warn({ err: error, jobId: job.id }, "a cut try counts"));
}
