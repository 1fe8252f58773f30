import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { connect, jobsSchema } from "../database/connect.js";
import { transact } from "../database/transact.js";
import { newId } from "../ids.js";
import { findJob } from "../testing/jobs.js";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import type { JobBase } from "./attempt.js";
import { defineJob } from "./define.js";
import { type EnqueueOptions, enqueue, enqueueAll } from "./enqueue.js";
import { createJobHandler, type JobHandler, schedule } from "./handle.js";
import { prepareQueue } from "./queue.js";
import { type JobsOptions, startJobs } from "./start.js";
import { failedJobs, jobCounts, retryJobs } from "./state.js";

interface Database {
  done: { n: number };
}

const Count = defineJob("things.count", z.object({ n: z.number() }), { attempts: 2 });
const Slow = defineJob("things.slow", z.object({}), { attempts: 3, deadlineMs: 200 });
const perform = createJobHandler<JobBase<Database>>();
const log = pino({ level: process.env.TEST_LOG ?? "silent" });

let home: TestSchema<Database>;
let running: { stop(): Promise<void> }[];
beforeEach(async () => {
  home = await testSchema<Database>({ service: "jobs" });
  running = [];
  await sql`create table done (place int generated always as identity, n int not null)`.execute(home.db);
  await prepareQueue({ databaseUrl: home.url, schema: home.schema, log });
});
afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  await home.drop();
});

type Options = Partial<JobsOptions<JobBase<Database>, Database>>;
async function start(jobHandlers: JobHandler<JobBase<Database>>[], options: Options = {}) {
  const base = { databaseUrl: home.url, schema: home.schema, db: home.db, log };
  const jobs = await startJobs({ ...base, jobHandlers, context: (given) => given, ...options });
  running.push(jobs);
  return jobs;
}

const add = (n: number, options?: EnqueueOptions) => enqueue({ db: home.db }, Count, { n }, options);
const write = (db: JobBase<Database>["db"], n: number) => db.insertInto("done").values({ n }).execute();
const done = async () => {
  const { rows } = await sql<{ n: number }>`select n from done order by place`.execute(home.db);
  return rows.map(({ n }) => n);
};
const count = perform(Count, async ({ ctx, payload }) => write(ctx.db, payload.n));

test("a job runs when its transaction commits, and never when it rolls back", async () => {
  let ran: unknown;
  const see = perform(Count, async ({ ctx, payload, job }) => {
    ran = { payload, job, requestId: ctx.requestId, traceparent: ctx.traceparent };
    await write(ctx.db, payload.n);
  });
  await start([see]);
  const undone = transact({ db: home.db }, async (ctx) => {
    await enqueue(ctx, Count, { n: 1 });
    throw new Error("no");
  });
  await expect(undone).rejects.toThrow("no");
  const ctx = { db: home.db, requestId: "r1", traceparent: "t1" };
  const id = await transact(ctx, (ctx) => enqueue(ctx, Count, { n: 2 }));
  await waitFor(async () => (await done()).length > 0);
  expect(await done()).toEqual([2]);
  const job = { id, attempt: 1, lastAttempt: false };
  expect(ran).toEqual({ payload: { n: 2 }, job, requestId: "r1", traceparent: "t1" });
  await waitFor(async () => (await findJob({ db: home.db }, { id })) === undefined);
});

test("a payload that breaks the contract is not enqueued", async () => {
  await expect(enqueue({ db: home.db }, Count, { n: "1" as never })).rejects.toThrow(z.ZodError);
});

test("a job that fails is tried again, its state and last error can be read, and in the end it has failed", async () => {
  let broken = true;
  const fragile = perform(Count, async ({ ctx, payload }) => {
    if (broken) throw new Error("out of order");
    await write(ctx.db, payload.n);
  });
  await start([fragile]);
  const id = await add(1, { key: "k" });
  const state = () => findJob({ db: home.db }, { key: "k" });
  await waitFor(async () => (await state())?.lastError);
  expect(await state()).toMatchObject({
    id,
    job: Count.name,
    state: "waiting",
    attempts: 1,
    lastError: "out of order",
  });
  await waitFor(async () => (await state())?.state === "failed");
  expect(await failedJobs({ db: home.db })).toMatchObject([{ id, attempts: 2, lastError: "out of order" }]);
  expect(await jobCounts({ db: home.db })).toEqual({ waiting: 0, running: 0, failed: 1 });
  broken = false;
  expect(await retryJobs({ db: home.db }, ["1234567"])).toEqual([]);
  expect(await retryJobs({ db: home.db }, [String(id)])).toEqual([String(id)]);
  await waitFor(async () => (await done()).length === 1);
});

test("a job is aborted at its deadline and tried again", async () => {
  let tries = 0;
  const slow = perform(Slow, async ({ ctx, signal }) => {
    tries += 1;
    if (tries === 1) await once(signal, "abort");
    signal.throwIfAborted();
    await write(ctx.db, tries);
  });
  await start([slow]);
  const id = await enqueue({ db: home.db }, Slow, {});
  const failed = await waitFor(async () => {
    const state = await findJob({ db: home.db }, { id });
    return state?.lastError ? state : undefined;
  });
  expect(failed.lastError).toBe("The job took longer than 200 ms");
  await waitFor(async () => (await done()).length === 1);
  expect(await done()).toEqual([2]);
});

test("a job is given up when its last try fails, and when it does not heed its deadline", async () => {
  const Broken = defineJob("things.broken", z.object({}), { attempts: 1 });
  const broken = perform(
    Broken,
    async () => {
      throw new Error("out of order");
    },
    ({ ctx }) => write(ctx.db, 1),
  );
  const Endless = defineJob("things.endless", z.object({}), { attempts: 1, deadlineMs: 200 });
  const endless = perform(
    Endless,
    () => new Promise(() => undefined),
    ({ ctx }) => write(ctx.db, 2),
  );
  await start([broken, endless]);
  await enqueue({ db: home.db }, Broken, {});
  await enqueue({ db: home.db }, Endless, {});
  await waitFor(async () => (await jobCounts({ db: home.db })).failed === 2);
  expect(await done()).toEqual([1, 2]);
  const errors = (await failedJobs({ db: home.db })).map(({ lastError }) => lastError);
  expect(errors.sort()).toEqual(["The job took longer than 200 ms", "out of order"]);
});

test("a job that cannot be given up is tried again, and given up then", async () => {
  const Broken = defineJob("things.broken", z.object({}), { attempts: 1 });
  let calls = 0;
  const broken = perform(
    Broken,
    async () => {
      throw new Error("out of order");
    },
    async ({ ctx }) => {
      calls += 1;
      if (calls === 1) throw new Error("no database");
      await write(ctx.db, calls);
    },
  );
  await start([broken]);
  await enqueue({ db: home.db }, Broken, {});
  await waitFor(async () => (await jobCounts({ db: home.db })).failed === 1);
  expect(await done()).toEqual([2]);
});

test("a try that heeds no signal keeps the next one out until it has ended", async () => {
  let now = 0;
  let most = 0;
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  const deaf = perform(Slow, async ({ ctx, job }) => {
    now += 1;
    most = Math.max(most, now);
    if (job.attempt === 1) await released;
    await write(ctx.db, job.attempt);
    now -= 1;
  });
  await start([deaf]);
  const id = await enqueue({ db: home.db }, Slow, {});
  const lastError = async () => (await findJob({ db: home.db }, { id }))?.lastError;
  await waitFor(async () => (await lastError()) === "an earlier try of the job has not ended yet");
  release();
  await waitFor(async () => (await done()).length === 2);
  expect([most, await done()]).toEqual([1, [1, 3]]);
});

test("of jobs with one key the last one waiting stays", async () => {
  const runAt = new Date(Date.now() + 1_000);
  await add(1, { key: "k", runAt });
  await add(2, { key: "k", runAt });
  await start([count]);
  await waitFor(async () => (await jobCounts({ db: home.db })).waiting === 0);
  await waitFor(async () => (await done()).length > 0);
  expect(await done()).toEqual([2]);
});

test("a job is added though the waiting one with its key is taken by a worker in the same moment", async () => {
  const waiting = await add(1, { key: "counted" });
  const jobs = sql.table(`${jobsSchema(home.schema)}._private_jobs`);
  const worker = await home.db.startTransaction().execute();
  await sql`update ${jobs} set locked_at = now(), locked_by = 'a worker' where id = ${waiting}`.execute(
    worker,
  );
  const added = Promise.all([
    add(2, { key: "counted" }),
    enqueueAll({ db: home.db }, Count, [{ n: 3 }], { key: "other" }),
  ]);
  await waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%add_job(%' and datname = current_database()`.execute(
      home.db,
    );
    return rows.length > 0;
  });
  await worker.commit().execute();
  const [second, [third]] = await added;
  expect(second).toBeGreaterThan(waiting);
  const { rows } = await sql<{ id: number; n: number }>`
    select id::int, (payload->'payload'->>'n')::int as n from ${jobs} where key is not null order by n`.execute(
    home.db,
  );
  expect(rows).toEqual([
    { id: second, n: 2 },
    { id: third, n: 3 },
  ]);
});

test("jobs of one queue run one after the other, across two copies of the service", async () => {
  let now = 0;
  let most = 0;
  const alone = perform(Count, async ({ ctx, payload }) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await write(ctx.db, payload.n);
    now -= 1;
  });
  await start([alone]);
  await start([alone]);
  for (let n = 0; n < 10; n++) await add(n, { queue: "one" });
  await waitFor(async () => (await done()).length === 10);
  expect(most).toBe(1);
  expect(await done()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a graceful stop lets a job end; one that takes too long is cut and does not lose a try", async () => {
  let started = 0;
  const work = perform(Count, async ({ ctx, payload, signal }) => {
    started += 1;
    if (payload.n === 2) await once(signal, "abort");
    else await new Promise((resolve) => setTimeout(resolve, 200));
    signal.throwIfAborted();
    await write(ctx.db, payload.n);
  });
  const jobs = await start([work], { stopGraceMs: 600 });
  await add(1);
  const id = await add(2);
  await waitFor(() => started === 2);
  await jobs.stop();
  running = [];
  expect(await done()).toEqual([1]);
  expect(await findJob({ db: home.db }, { id })).toMatchObject({ state: "waiting", attempts: 0 });
  expect((await sql`select id from job_process`.execute(home.db)).rows).toEqual([]);
});

test("a role that owns the schemas but may not create any prepares the queue and works on it", async () => {
  const role = `test_jobs_${newId().slice(-10).toLowerCase()}`;
  const url = new URL(home.url);
  const admin = new pg.Client({ connectionString: home.url });
  await admin.connect();
  await admin.query(`create role ${role} login password 'test'; create schema ${role} authorization ${role};
    create schema ${role}_jobs authorization ${role}`);
  url.username = role;
  url.password = "test";
  const own = connect<Database>({ url: url.href, schema: role });
  const options = { databaseUrl: url.href, schema: role, log };
  await expect(sql`create schema nobody_may`.execute(own.db)).rejects.toThrow("permission denied");
  await Promise.all([prepareQueue(options), prepareQueue(options), prepareQueue(options)]);
  await sql`create table done (n int not null)`.execute(own.db);
  const jobs = await startJobs({ ...options, db: own.db, jobHandlers: [count], context: (given) => given });
  await enqueue({ db: own.db }, Count, { n: 7 });
  await waitFor(async () => (await own.db.selectFrom("done").select("n").execute()).length === 1);
  await jobs.stop();
  await own.close();
  await admin.query(`drop owned by ${role} cascade; drop role ${role}`);
  await admin.end();
});

test("jobs go on after all connections of the queue were cut", async () => {
  await start([count]);
  await add(1);
  await waitFor(async () => (await done()).length === 1);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like ${`${home.schema} %`}`.execute(home.db);
  await add(2);
  await waitFor(async () => (await done()).length === 2);
});

test("a process that cannot renew its heartbeat ends its jobs, and does them again", async () => {
  let started = 0;
  let ended = 0;
  const work = perform(Count, async ({ ctx, payload, signal }) => {
    started += 1;
    if (started === 1) await once(signal, "abort");
    ended += 1;
    signal.throwIfAborted();
    await write(ctx.db, payload.n);
  });
  await start([work], { deadAfterMs: 2_000 });
  await add(1);
  await waitFor(() => started === 1);
  await home.db.transaction().execute(async (db) => {
    await sql`lock table job_process in access exclusive mode`.execute(db);
    await waitFor(() => ended > 0);
  });
  await waitFor(async () => (await done()).length === 1);
  expect(started).toBe(2);
});

test("a worker that cannot report its job is replaced, and the job runs again", async () => {
  let first = true;
  const work = perform(Count, async ({ ctx, payload }) => {
    if (first) {
      first = false;
      // The report fails: the table is away at that moment.
      await sql`alter table _private_jobs rename to away`.execute(ctx.db);
      setTimeout(() => sql`alter table away rename to _private_jobs`.execute(home.db), 500);
      return;
    }
    await write(ctx.db, payload.n);
  });
  await start([work], { concurrency: 1, deadAfterMs: 2_000 });
  await add(1);
  await waitFor(() => !first);
  await waitFor(async () => (await done()).length === 1, { everyMs: 200 });
});

test("a job that failed for good is kept for thirty days, one that waits for as long as it takes", async () => {
  const [old, recent, waiting, held] = [await add(1), await add(2), await add(3), await add(4)];
  const set = (id: number, days: number, change = sql`attempts = max_attempts`) =>
    sql`update _private_jobs set run_at = now() - ${days} * interval '1 day', ${change} where id = ${id}`.execute(
      home.db,
    );
  await set(old, 31);
  await set(recent, 29);
  await set(waiting, 31, sql`attempts = 0`);
  await set(held, 31, sql`attempts = max_attempts, locked_at = now(), locked_by = 'another'`);
  await start([perform(Slow, async () => undefined)]);
  await waitFor(async () => (await findJob({ db: home.db }, { id: old })) === undefined);
  const left = await Promise.all([recent, waiting, held].map((id) => findJob({ db: home.db }, { id })));
  expect(left.map((job) => job?.state)).toEqual(["failed", "waiting", "running"]);
});

test("a schedule enqueues its job", async () => {
  await start([count], { schedules: [schedule("* * * * *", Count, { n: 5 })] });
  const known = await waitFor(async () => {
    const { rows } = await sql<{
      identifier: string;
    }>`select identifier from _private_known_crontabs`.execute(home.db);
    return rows[0];
  });
  expect(known.identifier).toBe("things.count * * * * *");
});

const CHILD = `
  import { pino } from "pino";
  import { connect } from "@octavo/shared/database/connect";
  import { startJobs } from "@octavo/shared/jobs/start";
  const [url, schema] = process.env.CHILD.split(" ");
  const { db } = connect({ url, schema });
  const job = { name: "things.count", payload: { parse: (value) => value }, attempts: 2, deadlineMs: 60_000 };
  const run = async ({ ctx, payload }) => {
    await ctx.db.insertInto("done").values({ n: -payload.n }).execute();
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  };
  await startJobs({ databaseUrl: url, schema, db, log: pino({ level: "silent" }), jobHandlers: [{ job, run }], context: (given) => given, deadAfterMs: 2_000 });
`;

function startChild(): ChildProcess {
  const flags = ["--conditions=source", "--import", "tsx", "--input-type=module", "-e", CHILD];
  const cwd = new URL("../..", import.meta.url);
  const env = { ...process.env, CHILD: `${home.url} ${home.schema}` };
  return spawn(process.execPath, flags, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
}

test("a job whose process was killed runs again soon, and never beside a living one", async () => {
  const child = startChild();
  try {
    await add(1, { queue: "q" });
    await add(2);
    await waitFor(async () => (await done()).length === 2);
    // The child is slow, but it lives: another copy leaves its jobs alone.
    await start([count], { deadAfterMs: 2_000 });
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect((await done()).sort()).toEqual([-1, -2]);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await waitFor(async () => (await done()).length === 4, { everyMs: 200 });
  expect((await done()).sort((a, b) => a - b)).toEqual([-2, -1, 1, 2]);
});

test("a job whose last try ended with its process is given up, and kept as failed", async () => {
  const child = startChild();
  try {
    await add(1);
    await waitFor(async () => (await done()).length === 1);
    await sql`update _private_jobs set attempts = max_attempts`.execute(home.db);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const counted = perform(
    Count,
    async ({ ctx, payload }) => write(ctx.db, payload.n),
    async ({ ctx, payload }) => write(ctx.db, payload.n + 100),
  );
  await start([counted], { deadAfterMs: 2_000 });
  await waitFor(async () => (await jobCounts({ db: home.db })).failed === 1);
  expect(await done()).toEqual([-1, 101]);
  expect(await failedJobs({ db: home.db })).toMatchObject([
    { lastError: "The process that ran the job ended, and no try is left" },
  ]);
});
