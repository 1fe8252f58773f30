import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import { defineJob } from "./define.js";
import { type EnqueueOptions, enqueue } from "./enqueue.js";
import { startHeartbeat } from "./heartbeat.js";

const Count = defineJob("things.count", z.object({ n: z.number() }), { attempts: 2 });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Long enough for a loop without a pause to turn many times. */
const MOMENT_MS = 200;

let home: TestSchema<Record<never, never>>;
let logged: { msg: string; workers?: string[] }[];
let stops: (() => Promise<void>)[];
let lost: number;
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeEach(async () => {
  home = await testSchema({ service: "heartbeat", jobs: true });
  logged = [];
  stops = [];
  lost = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.toReversed()) await stop();
  await home.drop();
});

/** A process with these workers; with an hour before it is dead it beats once in a test. */
function start(deadAfterMs = HOUR_MS, workers = () => ["own"]) {
  const heartbeat = startHeartbeat(
    { databaseUrl: home.url, schema: home.schema, log, deadAfterMs },
    workers,
    () => {
      lost += 1;
    },
  );
  stops.push(heartbeat.stop);
  return heartbeat;
}

interface Process {
  id: string;
  workers: string[];
  beat_at: string;
}
async function processes() {
  const { rows } = await sql<Process>`
    select id, workers, beat_at::text as beat_at from job_process order by id`.execute(home.db);
  return rows;
}
const beaten = () => waitFor(async () => (await processes()).find(({ workers }) => workers.includes("own")));
/** Another process that beat so long ago. */
const neighbour = (id: string, agoMs: number) =>
  sql`insert into job_process values (${id}, ${[`${id}'s`]}::text[], now() - ${agoMs} * interval '1 millisecond')`.execute(
    home.db,
  );

interface Job {
  id: number;
  locked_by: string | null;
  last_error: string | null;
  attempts: number;
  max_attempts: number;
}
/** A job that a worker has held for so long. */
async function held(by: string, forMs: number, options: EnqueueOptions & { attempts?: number } = {}) {
  const { attempts = 1, ...rest } = options;
  const id = await enqueue({ db: home.db }, Count, { n: 1 }, rest);
  const since = sql`now() - ${forMs} * interval '1 millisecond'`;
  await sql`update _private_jobs set locked_by = ${by}, locked_at = ${since}, attempts = ${attempts}
    where id = ${id}`.execute(home.db);
  await sql`update _private_job_queues set locked_by = ${by}, locked_at = ${since}
    where queue_name = ${rest.queue ?? null}`.execute(home.db);
  return id;
}
async function jobs() {
  const { rows } = await sql<Job>`
    select id, locked_by, last_error, attempts, max_attempts from _private_jobs order by id`.execute(home.db);
  return rows;
}

/** What is notified to whoever waits for jobs. */
async function notifications() {
  const received: unknown[] = [];
  const client = new pg.Client({ connectionString: home.url });
  await client.connect();
  stops.push(() => client.end());
  client.on("notification", ({ payload }) => void received.push(JSON.parse(payload!)));
  await client.query(`listen "jobs:insert"`);
  return { received, client };
}

test("a process writes its heartbeat and its workers a few times within its deadline, and no more often", async () => {
  start();
  const { beat_at, workers } = await beaten();
  await sleep(MOMENT_MS);
  expect([(await processes()).map((one) => one.beat_at), workers]).toEqual([[beat_at], ["own"]]);
  let turns = 0;
  start(400, () => ["own", `turn ${turns++}`]);
  await waitFor(async () => (await processes()).some((one) => one.workers.includes("turn 2")));
  expect(logged).toEqual([]);
});

test("a stop ends the beats at once and leaves no process behind", async () => {
  const { stop } = start();
  await beaten();
  await stop();
  expect(await processes()).toEqual([]);
});

test("a process that cannot write its heartbeat is lost at the second look after two thirds of its time", async () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date", "setInterval", "clearInterval"] });
  const { stop } = start();
  await beaten();
  // It looks each five minutes: the first look after 40 minutes is at 45.
  await vi.advanceTimersByTimeAsync(50 * MINUTE_MS - 1);
  expect(lost).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(lost).toBe(1);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(lost).toBe(1);
  await stop();
});

test("a process that was stopped is not taken for lost", async () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date", "setInterval", "clearInterval"] });
  const { stop } = start();
  await beaten();
  await stop();
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect(lost).toBe(0);
});

test("the jobs and queues of a process without heartbeat and lock are released, which is logged", async () => {
  const { received } = await notifications();
  await neighbour("dead", HOUR_MS + MINUTE_MS);
  const id = await held("dead's", HOUR_MS + MINUTE_MS, { queue: "q" });
  const last = await held("dead's", HOUR_MS + MINUTE_MS, { attempts: 2 });
  start();
  await beaten();
  await waitFor(() => logged.length > 0);
  expect(logged).toMatchObject([
    { msg: "the jobs of processes that ended are free again", workers: ["dead's"] },
  ]);
  const freed = { locked_by: null, last_error: "The process that ran the job ended" };
  expect(await jobs()).toMatchObject([
    { id, ...freed, attempts: 1, max_attempts: 2 },
    // It is handed out once more, to be given up.
    { id: last, ...freed, attempts: 2, max_attempts: 3 },
  ]);
  const queues = await sql`select locked_by from _private_job_queues`.execute(home.db);
  expect(queues.rows).toEqual([{ locked_by: null }]);
  expect((await processes()).map((one) => one.workers)).toEqual([["own"]]);
  await waitFor(() => received.length > 0);
  expect(received.at(-1)).toEqual({ count: 1 });
});

test("what living processes hold is left to them, and so is what was taken a moment ago; nobody is woken", async () => {
  await neighbour("beating", MINUTE_MS);
  await neighbour("holding", 2 * HOUR_MS);
  const ids = [
    await held("beating's", 2 * HOUR_MS),
    await held("holding's", 2 * HOUR_MS),
    await held("own", 2 * HOUR_MS),
    await held("new", MINUTE_MS),
  ];
  const { client, received } = await notifications();
  await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [
    `octavo.leader.${home.schema}.job process holding`,
  ]);
  start();
  await beaten();
  // A stop waits for the turn that has begun.
  await stops.pop()!();
  expect((await jobs()).map(({ id, locked_by }) => [id, locked_by])).toEqual([
    [ids[0], "beating's"],
    [ids[1], "holding's"],
    [ids[2], "own"],
    [ids[3], "new"],
  ]);
  expect((await processes()).map(({ id }) => id)).toEqual(["beating", "holding"]);
  await client.query("select 1");
  expect([logged, received]).toEqual([[], []]);
});

const queues = async () => {
  const { rows } = await sql<{ queue_name: string }>`
    select queue_name from _private_job_queues order by queue_name`.execute(home.db);
  return rows.map(({ queue_name }) => queue_name);
};

test("queues without jobs are removed, those with a job or a worker stay", async () => {
  for (const queue of ["empty", "waiting", "worked on"])
    await enqueue({ db: home.db }, Count, { n: 1 }, { queue });
  const name = sql`(select queue_name from _private_job_queues where id = job_queue_id)`;
  await sql`delete from _private_jobs where ${name} in ('empty', 'worked on')`.execute(home.db);
  await sql`update _private_job_queues set locked_by = 'own', locked_at = now()
    where queue_name = 'worked on'`.execute(home.db);
  start();
  await waitFor(async () => (await queues()).length === 2);
  expect(await queues()).toEqual(["waiting", "worked on"]);
});

test("an empty queue to which somebody is adding a job stays, and so does the job", async () => {
  await enqueue({ db: home.db }, Count, { n: 1 }, { queue: "empty" });
  await sql`delete from _private_jobs`.execute(home.db);
  await home.db.transaction().execute(async (db) => {
    await enqueue({ db }, Count, { n: 2 }, { queue: "empty" });
    start();
    await beaten();
    // A stop waits for the turn that has begun.
    await stops.pop()!();
  });
  const { rows } = await sql`select queue_name from _private_jobs
    join _private_job_queues queue on queue.id = job_queue_id`.execute(home.db);
  expect(rows).toEqual([{ queue_name: "empty" }]);
  expect(logged).toEqual([]);
});

test("jobs that failed for good are kept for thirty days, others for as long as it takes, and thousands are removed in one sweep", async () => {
  await enqueue({ db: home.db }, Count, { n: 1 });
  const add = (count: number, hours: number, row = sql`2, 2, null, null`) =>
    sql`insert into _private_jobs (task_id, payload, run_at, attempts, max_attempts, locked_at, locked_by)
      select (select id from _private_tasks), '{}', now() - ${hours} * interval '1 hour', ${row}
      from generate_series(1, ${count})`.execute(home.db);
  await add(2_500, 30 * 24 + 12);
  await add(1, 29 * 24 + 12);
  await add(1, 31 * 24, sql`0, 2, null, null`);
  await add(1, 31 * 24, sql`2, 2, now(), 'another'`);
  start();
  await waitFor(async () => (await jobs()).length === 4);
});
