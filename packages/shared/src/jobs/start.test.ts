import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import type { JobBase } from "./attempt.js";
import { defineJob } from "./define.js";
import { enqueue } from "./enqueue.js";
import { createJobHandler, type JobHandler } from "./handle.js";
import { type JobsOptions, startJobs } from "./start.js";

type Database = Record<never, never>;
type Context = JobBase<Database>;
const Count = defineJob("things.count", z.object({ n: z.number() }), { attempts: 2 });
const handle = createJobHandler<Context>();
const HOUR_MS = 3_600_000;
/** Long enough for a loop without a pause to turn many times. */
const MOMENT_MS = 300;

let home: TestSchema<Database>;
let logged: string[];
let stops: (() => Promise<void>)[];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
beforeEach(async () => {
  home = await testSchema<Database>({ service: "start" });
  logged = [];
  stops = [];
});
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await home.drop();
});

/** Starts what works on jobs, in a schema in which nothing was prepared. */
async function start(
  jobHandlers: JobHandler<Context>[],
  options: Partial<JobsOptions<Context, Database>> = {},
) {
  const base = { databaseUrl: home.url, schema: home.schema, db: home.db, log };
  const jobs = await startJobs({ ...base, jobHandlers, context: (given: Context) => given, ...options });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= jobs.stop();
    return stopped;
  };
  stops.push(stop);
  return stop;
}
const add = (n: number) => enqueue({ db: home.db }, Count, { n });
async function workers() {
  const { rows } = await sql<{ workers: string[] }>`select workers from job_process`.execute(home.db);
  return rows.flatMap((row) => row.workers);
}
/** The connections of the queue. */
async function connections() {
  const { rows } = await sql`select 1 from pg_stat_activity
    where application_name = ${`${home.schema} jobs`}`.execute(home.db);
  return rows.length;
}
const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

test("four jobs run at a time by default, and their process lists its workers", async () => {
  const held = gate();
  let begun = 0;
  const handler = handle(Count, async () => {
    begun += 1;
    await held.opened;
  });
  const listeners = process.listenerCount("SIGTERM");
  await start([handler], { deadAfterMs: 4_000 });
  expect(process.listenerCount("SIGTERM")).toBe(listeners);
  for (let n = 0; n < 6; n += 1) await add(n);
  await waitFor(() => begun === 4);
  const names = await waitFor(async () => ((await workers()).length > 0 ? workers() : undefined));
  await sleep(MOMENT_MS);
  expect([names.length, begun]).toEqual([4, 4]);
  // They are the same ones, so nothing has started anew.
  expect(await workers()).toEqual(names);
  held.open();
  await waitFor(() => begun === 6);
  expect(logged).toEqual([]);
});

test("a stop waits for what is being done, and leaves no connection and no process behind", async () => {
  const [entered, late] = [gate(), gate()];
  let isDone = false;
  const stop = await start([
    handle(Count, async () => {
      entered.open();
      await late.opened;
      isDone = true;
    }),
  ]);
  await add(1);
  await entered.opened;
  expect(await connections()).toBeGreaterThan(0);
  const stopped = stop();
  late.open();
  await stopped;
  expect([isDone, await workers()]).toEqual([true, []]);
  await waitFor(async () => (await connections()) === 0);
  expect((await sql`select 1 from _private_jobs`.execute(home.db)).rows).toEqual([]);
  expect(logged).toEqual([]);
});

test("a stop cuts short what takes longer than its grace", async () => {
  const entered = gate();
  const stop = await start(
    [
      handle(Count, async ({ signal }) => {
        const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
        entered.open();
        await aborted;
        signal.throwIfAborted();
      }),
    ],
    { stopGraceMs: 20 },
  );
  await add(1);
  await entered.opened;
  await stop();
  const { rows } = await sql`select attempts, locked_by from _private_jobs`.execute(home.db);
  expect(rows).toEqual([{ attempts: 0, locked_by: null }]);
});

test("a stop right after the start ends what was starting", async () => {
  const stop = await start([handle(Count, async () => undefined)]);
  await stop();
  await waitFor(async () => (await connections()) === 0);
  expect(logged).toEqual([]);
});

test("a queue that does not start is logged, and not tried again before the pause is over; a stop ends the pause", async () => {
  const schedules = [{ cron: "never", job: Count, payload: { n: 1 } }];
  const stop = await start([handle(Count, async () => undefined)], { schedules, retryMs: HOUR_MS });
  await waitFor(() => logged.length > 0);
  await sleep(MOMENT_MS);
  await stop();
  expect(logged).toEqual(["the job queue does not start, it will be tried again"]);
});

test("workers go on while the queue of another schema is set up", async () => {
  await start([handle(Count, async () => undefined)], { deadAfterMs: 400, retryMs: 20 });
  const names = await waitFor(async () => ((await workers()).length === 4 ? workers() : undefined));
  await waitFor(async () => (await connections()) > 0);
  const other = await testSchema<Database>({ service: "other", jobs: true });
  await sql`select pg_notify('worker:migrate', '{"migrationNumber":11,"breaking":true}')`.execute(home.db);
  // What is told comes in order: a job that is done was told of later.
  await add(1);
  await waitFor(async () => (await sql`select 1 from _private_jobs`.execute(home.db)).rows.length === 0);
  await sleep(MOMENT_MS);
  expect([await workers(), logged]).toEqual([names, []]);
  await other.drop();
});

test("a worker that cannot report its job is logged and replaced, and the job is done again", async () => {
  let begun = 0;
  const handler = handle(Count, async ({ ctx }) => {
    begun += 1;
    if (begun > 1) return;
    // The report fails: the table is away at that moment.
    await sql`alter table _private_jobs rename to away`.execute(ctx.db);
  });
  await start([handler], { concurrency: 1, deadAfterMs: 2_000, retryMs: 20 });
  await add(1);
  await waitFor(() => logged.includes("the job queue stumbled, it starts again"));
  await sql`alter table away rename to _private_jobs`.execute(home.db);
  await waitFor(() => begun > 1);
});
