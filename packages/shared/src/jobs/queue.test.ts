import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import { prepareQueue, queueLogger, queuePool } from "./queue.js";

let home: TestSchema<Record<never, never>>;
let logLines: string[];
const log = pino({ level: "warn" }, { write: (line: string) => void logLines.push(JSON.parse(line).msg) });
beforeEach(async () => {
  home = await testSchema({ service: "queue" });
  logLines = [];
});
afterEach(() => home.drop());

const options = () => ({ databaseUrl: home.url, schema: home.schema, log });
const tables = async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = ${home.jobsSchema}`.execute(home.db);
  return rows.map(({ name }) => name);
};

test("a queue is prepared once, however often and by whom it is requested, and leaves no connection", async () => {
  await prepareQueue(options());
  await prepareQueue(options());
  expect(await tables()).toEqual(expect.arrayContaining(["migrations", "job_process", "_private_jobs"]));
  await waitFor(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where application_name = ${`${home.schema} jobs`}`.execute(home.db);
    return rows.length === 0;
  });
});

test("whoever prepares a queue waits for the one who does so already, for as long as it takes", async () => {
  const other = new pg.Client({ connectionString: home.url });
  await other.connect();
  await other.query("select pg_advisory_lock(hashtextextended($1, 0))", [`octavo.jobs.${home.schema}`]);
  const preparing = prepareQueue(options());
  const waiting = await waitFor(async () => {
    const { rows } = await other.query(
      "select pid from pg_stat_activity where application_name = $1 and wait_event = 'advisory'",
      [`${home.schema} jobs`],
    );
    return rows[0];
  });
  expect([waiting, await tables()]).toEqual([{ pid: expect.any(Number) }, []]);
  await other.end();
  await preparing;
  expect(await tables()).toContain("_private_jobs");
});

test.each([
  ["nobody uses", false],
  ["somebody uses", true],
])("a connection of the queue that is lost while %s it is logged, and replaced", async (_, isUsed) => {
  const pool = queuePool(options(), 1);
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (!isUsed) client.release();
  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(home.db);
  await waitFor(() => logLines.length > 0);
  expect(new Set(logLines)).toEqual(new Set(["a connection of the job queue was lost"]));
  if (isUsed) client.release(true);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test("messages of the queue are warnings when they are errors about no job, and debug messages otherwise", () => {
  const logged: { level: number; msg: string; queue: boolean }[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const logger = queueLogger(log);
  logger.error("no connection");
  logger.warn("slow");
  logger.info("started");
  logger.debug("looked");
  logger.error("a job failed", { failure: {} });
  logger.error("broken", { failure: null });
  expect(logged.map(({ level, msg, queue }) => [level, msg, queue])).toEqual([
    [40, "no connection", true],
    [40, "slow", true],
    [20, "started", true],
    [20, "looked", true],
    [20, "a job failed", true],
    [40, "broken", true],
  ]);
});
