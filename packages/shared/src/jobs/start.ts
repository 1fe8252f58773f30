import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseCronItems, type Runner, run, type WorkerEvents } from "graphile-worker";
import type { Kysely } from "kysely";
import type pg from "pg";
import { jobsSchema } from "../database/connect.js";
import { createAttempts, type JobBase } from "./attempt.js";
import type { JobHandler, Schedule } from "./handle.js";
import { startHeartbeat } from "./heartbeat.js";
import { ignoreOtherQueues } from "./other-queues.js";
import { prepareQueue, type QueueOptions, queueLogger, queuePool } from "./queue.js";

export interface JobsOptions<Context, Database> extends QueueOptions {
  db: Kysely<Database>;
  jobHandlers: JobHandler<Context>[];
  schedules?: Schedule[];
  /** Builds a job's context: the service's own identity, and its database. */
  context: (base: JobBase<Database>) => Context;
  /** Jobs at a time; 4 by default. */
  concurrency?: number;
  /** After so long without a sign of life a process is dead, and its jobs are free; 12 s by default. */
  deadAfterMs?: number;
  /** How long a stop lets running jobs go on before it aborts them; 5 s by default. */
  stopGraceMs?: number;
  /** The pause before a queue that stumbled, or did not start, starts again; 1 s by default. */
  retryMs?: number;
}

const STOP_GRACE_MS = 5_000;
const DEAD_AFTER_MS = 12_000;
const RETRY_MS = 1_000;
/** Each worker looks for jobs whose time has come, so the more there are, the less often; of new ones they are told. */
const POLL_MS_PER_WORKER = 500;

/**
 * Works on the service's jobs until it is stopped. Each try has its deadline; a failed job is tried again after
 * a pause that grows exponentially. The jobs of a process that died are free again within some 15 s.
 */
export async function startJobs<Context, Database>(
  options: JobsOptions<Context, Database>,
): Promise<{ stop(): Promise<void> }> {
  const { concurrency = 4, stopGraceMs = STOP_GRACE_MS, deadAfterMs = DEAD_AFTER_MS } = options;
  const latest = await prepareQueue(options);
  // One connection listens, each worker uses one to fetch and to report.
  const pool = queuePool(options, concurrency + 1);
  const workers = new Set<string>();
  const stopping = new AbortController();
  let cutter = new AbortController();
  const cutAll = () => {
    cutter.abort();
    cutter = new AbortController();
  };

  const heartbeat = startHeartbeat({ ...options, deadAfterMs }, () => [...workers], cutAll);
  const tasks = tasksOf(options, pool, () => cutter.signal);
  const running = keepRunning(options, { pool, tasks, workers, concurrency, latest, stop: stopping.signal });
  return {
    stop: async () => {
      stopping.abort();
      const patience = setTimeout(cutAll, stopGraceMs);
      await running;
      clearTimeout(patience);
      await heartbeat.stop();
      await pool.end();
    },
  };
}

type Tasks = Record<string, ReturnType<ReturnType<typeof createAttempts>>>;

function tasksOf<Context, Database>(
  { db, schema, log, context, jobHandlers }: JobsOptions<Context, Database>,
  pool: pg.Pool,
  cut: () => AbortSignal,
): Tasks {
  const attempt = createAttempts({ db, schema, log, context, pool, cut });
  return Object.fromEntries(jobHandlers.map((each) => [each.job.name, attempt(each)]));
}

interface Running {
  pool: pg.Pool;
  tasks: Tasks;
  workers: Set<string>;
  concurrency: number;
  /** The latest migration of the queue. */
  latest: number;
  stop: AbortSignal;
}

/** Keeps a runner up. The library loses workers for good when the database goes while they report. */
async function keepRunning<Context, Database>(options: JobsOptions<Context, Database>, running: Running) {
  const { log, retryMs = RETRY_MS } = options;
  const draining: Promise<void>[] = [];
  const stopped = new Promise<undefined>((resolve) => {
    running.stop.addEventListener("abort", () => resolve(undefined));
  });
  while (!running.stop.aborted) {
    try {
      const { runner, broken } = await startRunner(options, running);
      const error = await Promise.race([broken, stopped]);
      if (error) log.warn({ err: error }, "the job queue stumbled, it starts again");
      draining.push(runner.stop().catch(() => undefined));
    } catch (error) {
      log.warn({ err: error }, "the job queue does not start, it will be tried again");
    }
    await sleep(retryMs, undefined, { signal: running.stop }).catch(() => undefined);
  }
  await Promise.all(draining);
}

/** Starts a runner; `broken` resolves with the reason for which it is to be replaced. */
async function startRunner<Context, Database>(
  { log, schema, schedules = [] }: JobsOptions<Context, Database>,
  { pool, tasks, workers, concurrency, latest }: Running,
): Promise<{ runner: Runner; broken: Promise<unknown> }> {
  const events = new EventEmitter() as WorkerEvents;
  events.on("worker:create", ({ worker }) => workers.add(worker.workerId));
  events.on("worker:stop", ({ worker }) => workers.delete(worker.workerId));
  events.on("pool:listen:success", ({ client }) => ignoreOtherQueues(client, latest));
  const fatal = new Promise<unknown>((resolve) => {
    events.on("worker:fatalError", ({ error }) => resolve(error));
  });
  const runner = await run({
    pgPool: pool,
    schema: jobsSchema(schema),
    logger: queueLogger(log),
    events,
    concurrency,
    noHandleSignals: true,
    pollInterval: POLL_MS_PER_WORKER * concurrency,
    taskList: tasks,
    parsedCronItems: cronItems(schedules),
  });
  const ended = runner.promise.catch((error: unknown) => error);
  return { runner, broken: Promise.race([ended, fatal]) };
}

function cronItems(schedules: Schedule[]) {
  return parseCronItems(
    schedules.map(({ cron, job, payload }) => {
      const identifier = `${job.name} ${cron}`;
      const options = {
        backfillPeriod: 0,
        maxAttempts: job.attempts,
        jobKey: identifier,
        queueName: identifier,
      };
      return { task: job.name, match: cron, identifier, payload: { payload }, options };
    }),
  );
}
