import type { z } from "zod";
import type { JobType } from "./define.js";

export interface JobRun<Context, Payload> {
  /** The service's own context; `db` is no transaction here. */
  ctx: Context;
  payload: Payload;
  job: { id: number; attempt: number; lastAttempt: boolean };
  /** Aborts at the deadline and when the service stops; who does not heed it may be overtaken by the next try. */
  signal: AbortSignal;
}

/** That a service does a kind of job, and how. */
export interface JobHandler<Context> {
  job: JobType;
  run(run: JobRun<Context, unknown>): Promise<void>;
  /** Called when no try is left: the last one failed, took too long, or ended with its process. May be called again. */
  giveUp?(end: Pick<JobRun<Context, unknown>, "ctx" | "payload">): Promise<void>;
}

type Handler<Context, Payload extends z.ZodType> = (
  run: JobRun<Context, z.output<Payload>>,
) => Promise<unknown>;
type GiveUp<Context, Payload extends z.ZodType> = (
  end: Pick<JobRun<Context, z.output<Payload>>, "ctx" | "payload">,
) => Promise<unknown>;

/** Declares how a job is done. It may be done again after a failure or a crash, and has to bear that. */
export function handleJob<Context, Payload extends z.ZodType>(
  job: JobType<Payload>,
  handler: Handler<Context, Payload>,
  giveUp?: GiveUp<Context, Payload>,
): JobHandler<Context> {
  return {
    job,
    run: async (run) => {
      await handler({ ...run, payload: job.payload.parse(run.payload) });
    },
    giveUp: async ({ ctx, payload }) => {
      await giveUp?.({ ctx, payload: job.payload.parse(payload) });
    },
  };
}

/** `handleJob` for a service's own context: `const handleJob = createJobHandler<Ctx>()`. */
export const createJobHandler =
  <Context>() =>
  <Payload extends z.ZodType>(
    job: JobType<Payload>,
    handler: Handler<Context, Payload>,
    giveUp?: GiveUp<Context, Payload>,
  ): JobHandler<Context> =>
    handleJob(job, handler, giveUp);

/** That a job runs again and again. */
export interface Schedule {
  /** Five fields of cron, in UTC. */
  cron: string;
  job: JobType;
  payload: unknown;
}

/** Declares that a job runs at the times of a cron pattern (UTC), once for all copies of the service. */
export function schedule<Payload extends z.ZodType>(
  cron: string,
  job: JobType<Payload>,
  payload: z.input<Payload>,
): Schedule {
  return { cron, job, payload: job.payload.parse(payload) };
}
