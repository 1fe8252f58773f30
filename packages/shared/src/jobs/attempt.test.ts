import type { JobHelpers } from "graphile-worker";
import { sql } from "kysely";
import type pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type TestSchema, testSchema } from "../testing/schema.js";
import { createAttempts, type JobBase } from "./attempt.js";
import { defineJob } from "./define.js";
import { enqueue } from "./enqueue.js";
import { createJobHandler, type JobHandler } from "./handle.js";
import { queuePool } from "./queue.js";

type Database = Record<never, never>;
type Context = JobBase<Database>;
const Count = defineJob("things.count", z.object({ n: z.number() }), { attempts: 2 });
const Short = defineJob("things.short", z.object({ n: z.number() }), { attempts: 2, deadlineMs: 20 });
const handle = createJobHandler<Context>();

let home: TestSchema<Database>;
let pool: pg.Pool;
let cutter: AbortController;
let logged: Record<string, unknown>[];
let perform: ReturnType<typeof createAttempts<Context, Database>>;
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeEach(async () => {
  home = await testSchema<Database>({ service: "attempt", jobs: true });
  pool = queuePool({ databaseUrl: home.url, schema: home.schema, log }, 2);
  cutter = new AbortController();
  logged = [];
  const cut = () => cutter.signal;
  const { db, schema } = home;
  perform = createAttempts({
    db,
    schema,
    log,
    context: (base: Context) => base,
    pool,
    cut,
    abortGraceMs: 20,
  });
});
afterEach(async () => {
  if (!pool.ended) await pool.end();
  await home.drop();
});

/** A try of a job that the queue has handed out to a worker. */
async function attempt(handler: JobHandler<Context>, attempts = 1) {
  const id = await enqueue({ db: home.db }, Count, { n: 1 });
  await sql`update _private_jobs set attempts = ${attempts}, locked_by = 'worker', locked_at = now()
    where id = ${id}`.execute(home.db);
  const task = perform(handler);
  const job = { id: String(id), attempts };
  const payload = { payload: { n: 7 }, requestId: "r1", traceparent: "t1" };
  return { id, run: async () => task(payload, { job } as JobHelpers) };
}
async function attemptsOf(id: number) {
  const { rows } = await sql<{ attempts: number }>`
    select attempts from _private_jobs where id = ${id}`.execute(home.db);
  return rows[0]!.attempts;
}
const messages = () => logged.map(({ msg }) => msg);
const abortOf = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
/** Work that never comes to an end. */
const endless = () => new Promise<void>(() => {});

test("a try receives its payload, its number, whether it is the last one, and the request that added it", async () => {
  const seen: unknown[] = [];
  const handler = handle(Count, async ({ ctx, payload, job }) => {
    seen.push([payload, job.attempt, job.lastAttempt, ctx.requestId, ctx.traceparent]);
  });
  for (const attempts of [1, 2]) await (await attempt(handler, attempts)).run();
  expect(seen).toEqual([
    [{ n: 7 }, 1, false, "r1", "t1"],
    [{ n: 7 }, 2, true, "r1", "t1"],
  ]);
  expect(logged).toEqual([]);
});

test("a try that fails is logged with its number, and its error reaches the queue; nothing is given up before the last", async () => {
  const error = new Error("out of order");
  let gaveUp = 0;
  const handler = handle(
    Count,
    async () => {
      throw error;
    },
    async () => {
      gaveUp += 1;
    },
  );
  await expect((await attempt(handler)).run()).rejects.toBe(error);
  expect([gaveUp, logged]).toEqual([
    0,
    [expect.objectContaining({ msg: "a job failed", attempt: 1, of: 2 })],
  ]);
  await expect((await attempt(handler, 2)).run()).rejects.toBe(error);
  expect(gaveUp).toBe(1);
});

test("a try that stops at its deadline has taken too long, which is not logged as a failure", async () => {
  const handler = handle(Short, async ({ ctx, signal }) => {
    await Promise.all([abortOf(signal), abortOf(ctx.signal)]);
    throw new Error("stopped");
  });
  const { id, run } = await attempt(handler);
  const error = { message: "The job took longer than 20 ms", cause: { message: "stopped" } };
  await expect(run()).rejects.toMatchObject(error);
  expect([await attemptsOf(id), logged]).toEqual([1, []]);
});

test("a try that does not heed its deadline is abandoned after the grace, and given up when it was the last", async () => {
  const given: unknown[] = [];
  const handler = handle(Short, endless, async ({ ctx, payload }) => {
    given.push([payload, ctx.signal.aborted, ctx.requestId]);
  });
  await expect((await attempt(handler, 2)).run()).rejects.toMatchObject({
    message: "The job took longer than 20 ms",
    cause: { message: "the job did not heed its signal" },
  });
  expect(given).toEqual([[{ n: 7 }, false, "r1"]]);
});

test("a try that a stop cuts short does not count, is not given up, and is no failure", async () => {
  let gaveUp = 0;
  const handler = handle(
    Count,
    async ({ signal }) => {
      await abortOf(signal);
      throw new Error("stopped");
    },
    async () => {
      gaveUp += 1;
    },
  );
  const { id, run } = await attempt(handler, 2);
  const running = run();
  cutter.abort();
  const error = { message: "The try was cut short when the service stopped", cause: { message: "stopped" } };
  await expect(running).rejects.toMatchObject(error);
  expect([await attemptsOf(id), gaveUp, logged]).toEqual([1, 0, []]);
});

test("a cut try that the queue cannot take back counts, which is logged", async () => {
  const { id, run } = await attempt(handle(Count, endless));
  const running = run();
  await pool.end();
  cutter.abort();
  await expect(running).rejects.toThrow("The try was cut short when the service stopped");
  expect([await attemptsOf(id), messages()]).toEqual([1, ["a cut try counts"]]);
});

test("a job is not tried again beside an earlier try that goes on beyond its deadline, and is after that ended", async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = 0;
  const { run } = await attempt(
    handle(Short, async () => {
      begun += 1;
      if (begun === 1) await ended;
    }),
  );
  await expect(run()).rejects.toThrow("The job took longer than 20 ms");
  // Each try is made of the same handler, as the queue does it.
  await expect(run()).rejects.toThrow("an earlier try of the job has not ended yet");
  end();
  await new Promise(setImmediate);
  await run();
  expect(begun).toBe(2);
});

test("a job that cannot be given up has a try left, and is logged; the error stays that of the try", async () => {
  const handler = handle(
    Count,
    async () => {
      throw new Error("out of order");
    },
    async () => {
      throw new Error("no database");
    },
  );
  const { id, run } = await attempt(handler, 2);
  await expect(run()).rejects.toThrow("out of order");
  expect(await attemptsOf(id)).toBe(1);
  expect(messages()).toEqual(["a job failed", "a job could not be given up, it is tried again"]);
});

test("a job that is handed out after its last try is given up and not tried", async () => {
  const seen: string[] = [];
  const handler = handle(
    Count,
    async () => void seen.push("tried"),
    async () => void seen.push("given up"),
  );
  const { run } = await attempt(handler, 3);
  await expect(run()).rejects.toThrow("The process that ran the job ended, and no try is left");
  expect(seen).toEqual(["given up"]);
});
