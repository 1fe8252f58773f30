import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { findJob } from "../testing/jobs.js";
import { type TestSchema, testSchema } from "../testing/schema.js";
import { defineJob } from "./define.js";
import { enqueue, enqueueAll } from "./enqueue.js";
import { schedule } from "./handle.js";
import { prepareQueue } from "./queue.js";
import { dropJobs, failedJobs, hasQueue, jobCounts, retryJobs } from "./state.js";

const Count = defineJob("things.count", z.object({ n: z.number().default(7) }), { attempts: 2 });

let home: TestSchema<object>;
beforeAll(async () => {
  home = await testSchema({ service: "jobs" });
});
beforeEach(async () => {
  if (await hasQueue(home)) await sql`delete from _private_jobs`.execute(home.db);
});
afterAll(() => home.drop());

/** Jobs of which each has failed for good a minute later than the one before; returns their ids. */
async function failed(count: number): Promise<number[]> {
  const ids = await enqueueAll(
    home,
    Count,
    Array.from({ length: count }, (_, n) => ({ n })),
  );
  for (const [minute, id] of ids.entries())
    await sql`update _private_jobs set attempts = max_attempts, last_error = 'out of order',
      run_at = now() - interval '1 day' + ${minute} * interval '1 minute' where id = ${id}`.execute(home.db);
  return ids;
}

test("a service has a queue once it is prepared", async () => {
  expect(await hasQueue(home)).toBe(false);
  await prepareQueue({ databaseUrl: home.url, schema: home.schema, log: pino({ level: "silent" }) });
  expect(await hasQueue(home)).toBe(true);
});

test("failed jobs are counted and listed, the latest first and so many at most", async () => {
  expect(await jobCounts(home)).toEqual({ waiting: 0, running: 0, failed: 0 });
  const ids = await failed(3);
  const running = await enqueue(home, Count, {});
  await enqueue(home, Count, {});
  await sql`update _private_jobs set locked_at = now(), locked_by = 'w', attempts = 2 where id = ${running}`.execute(
    home.db,
  );
  expect(await jobCounts(home)).toEqual({ waiting: 1, running: 1, failed: 3 });
  expect((await failedJobs(home)).map(({ id }) => id)).toEqual(ids.toReversed());
  expect(await failedJobs(home, 1)).toMatchObject([
    { id: ids[2], job: "things.count", attempts: 2, lastError: "out of order" },
  ]);
  await failed(100);
  expect((await failedJobs(home)).length).toBe(100);
});

test("failed jobs are tried again, or removed: the named ones or all, and no others", async () => {
  const ids = (await failed(4)).map(String);
  const waiting = String(await enqueue(home, Count, {}));
  expect(await retryJobs(home, [ids[0]!, waiting])).toEqual([ids[0]]);
  expect(await findJob(home, { id: Number(ids[0]) })).toMatchObject({ state: "waiting", attempts: 0 });
  expect(await dropJobs(home, [ids[1]!, waiting])).toEqual([ids[1]]);
  expect(await findJob(home, { id: Number(ids[1]) })).toBeUndefined();
  expect(await retryJobs(home, [])).toEqual([]);
  expect(await dropJobs(home, [])).toEqual([]);
  expect((await dropJobs(home, "all")).sort()).toEqual([ids[2], ids[3]]);
  expect(await jobCounts(home)).toEqual({ waiting: 2, running: 0, failed: 0 });
  const more = (await failed(2)).map(String);
  expect((await retryJobs(home, "all")).sort()).toEqual(more);
  expect(await jobCounts(home)).toEqual({ waiting: 4, running: 0, failed: 0 });
});

test("jobs are kept with their payload, their tries, their queue, their priority, and not before their time", async () => {
  const runAt = new Date("2030-01-01T00:00:00Z");
  const ctx = { ...home, requestId: "r1", traceparent: "t1" };
  const [id] = await enqueueAll(ctx, Count, [{}], { key: "k", runAt, queue: "q", priority: 3 });
  expect(await findJob(home, { key: "k" })).toMatchObject({ id, job: "things.count", state: "waiting" });
  const { rows } =
    await sql<object>`select job.payload, job.max_attempts, job.priority, job.run_at, queue.queue_name
    from _private_jobs as job left join _private_job_queues as queue on queue.id = job.job_queue_id`.execute(
      home.db,
    );
  expect(rows).toEqual([
    {
      payload: { payload: { n: 7 }, requestId: "r1", traceparent: "t1" },
      max_attempts: 2,
      priority: 3,
      run_at: expect.anything(),
      queue_name: "q",
    },
  ]);
  const stored = (rows[0] as { run_at: string }).run_at;
  expect(new Date(stored).toISOString()).toBe(runAt.toISOString());
});

test("a job has five tries of a minute by default, and none takes longer than two hours", () => {
  expect(defineJob("a.b", z.object({}))).toMatchObject({ name: "a.b", attempts: 5, deadlineMs: 60_000 });
  expect(defineJob("a.b", z.object({}), { deadlineMs: 7_200_000 }).deadlineMs).toBe(7_200_000);
  expect(() => defineJob("a.b", z.object({}), { deadlineMs: 7_200_001 })).toThrow(
    "a.b: no job may take longer",
  );
  expect(schedule("* * * * *", Count, {})).toEqual({ cron: "* * * * *", job: Count, payload: { n: 7 } });
});
