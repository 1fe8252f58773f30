import { spawnSync } from "node:child_process";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { describeDatabaseError } from "../database/away.js";
import { connect } from "../database/connect.js";
import { migrate } from "../database/migrate.js";
import type { SharedTables } from "../database/shared-tables.js";
import { inboxTables, outboxTables } from "../database/shared-tables.js";
import { defineJob } from "../jobs/define.js";
import { enqueue } from "../jobs/enqueue.js";
import { soundEnvironment } from "../testing/environment.js";
import { type TestSchema, testSchema } from "../testing/schema.js";
import { drop, report, retry } from "./dead-letters.js";

const Work = defineJob("work.do", z.object({}), { attempts: 2 });
const migrations = {
  "0001-events": {
    up: async (db: TestSchema<SharedTables>["db"]) => {
      await outboxTables(db);
      await inboxTables(db);
    },
  },
};

let home: TestSchema<SharedTables>;
let quiet: TestSchema<SharedTables>;
let empty: TestSchema<unknown>;
beforeAll(async () => {
  home = await testSchema<SharedTables>({ service: "commands", jobs: true, migrations });
  quiet = await testSchema<SharedTables>({ service: "quiet", migrations });
  empty = await testSchema({ service: "empty" });
});
afterAll(() => Promise.all([home.drop(), quiet.drop(), empty.drop()]));

/** An event of which the service has had enough, and a job that has failed for good. */
async function getStuck(event = "0VbhParkedEvent") {
  await home.db
    .insertInto("inbox")
    .values({ id: event, name: "a.b.c", aggregate: "thing", body: "{}", attempts: 8 })
    .execute();
  await sql`update inbox set parked_at = '2026-11-22T10:00:00Z', error = ${"Error: indigestible\n at line 1"}
    where id = ${event}`.execute(home.db);
  const id = await enqueue(home, Work, {});
  await sql`update _private_jobs set attempts = max_attempts, last_error = 'out of order',
    run_at = '2026-11-22T11:00:00Z' where id = ${id}`.execute(home.db);
  return String(id);
}

test("the report names what is parked and failed, with the first line of its error, and retry takes it up again", async () => {
  const job = await getStuck();
  const counts = (events: number, jobs: number, pending: number, waiting: number) =>
    `sites: ${events} events and ${jobs} jobs are dead letters; waiting are 0 events that leave, ` +
    `${pending} that came in, and ${waiting} jobs`;
  expect(await report(home, "sites")).toEqual([
    counts(1, 1, 0, 0),
    "  event 0VbhParkedEvent  a.b.c of thing, parked 2026-11-22T10:00:00.000Z after 8 tries: Error: indigestible",
    `  job ${job}  work.do, last due 2026-11-22T11:00:00.000Z, failed after 2 tries: out of order`,
  ]);
  expect(await retry(home, ["0VbhParkedEvent", "999999", "nothing"])).toEqual({
    done: ["0VbhParkedEvent"],
    unknown: ["999999", "nothing"],
  });
  expect(await retry(home, ["all"])).toEqual({ done: [job], unknown: [] });
  expect(await report(home, "sites")).toEqual([counts(0, 0, 1, 1)]);
});

test("what is dropped is no dead letter any more, and waits for nothing", async () => {
  const job = await getStuck("0VbhDroppedEvent");
  expect(await drop(home, ["0VbhDroppedEvent", job, "nothing"])).toEqual({
    done: ["0VbhDroppedEvent", job],
    unknown: ["nothing"],
  });
  const { rows } =
    await sql`select id from inbox where id = '0VbhDroppedEvent' and handled_at is not null`.execute(home.db);
  expect(rows).toHaveLength(1);
  expect(await drop(home, ["all"])).toEqual({ done: [], unknown: [] });
  await home.db.deleteFrom("inbox").execute();
});

test("the report shows a service that has no job queue, too", async () => {
  expect(await report(quiet, "sites")).toEqual([
    "sites: 0 events and 0 jobs are dead letters; waiting are 0 events that leave, 0 that came in, and 0 jobs",
  ]);
  expect(await retry(quiet, ["42"])).toEqual({ done: [], unknown: ["42"] });
});

/** Runs migrate in a process of its own. */
function migrateWith(env: Record<string, string>) {
  const file = JSON.stringify(new URL("./migrate.ts", import.meta.url).href);
  const call = `const { migrateCommand } = await import(${file}); await migrateCommand("sites", {});`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", call];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH, ...soundEnvironment(), ...env },
    encoding: "utf8",
    timeout: 60_000,
  });
  const [line, ...others] = stdout.trim().split("\n");
  return { status, rest: [stderr, ...others], line: JSON.parse(line!) };
}

test("migrate ends with one line that names the cause when the database does not exist", () => {
  const url = new URL(home.url);
  url.pathname = "/none";
  const why = `the database at ${url.host}/none cannot be used: database "none" does not exist`;
  const { status, line, rest } = migrateWith({ DATABASE_URL: url.href });
  expect([status, rest]).toEqual([1, [""]]);
  expect(line).toMatchObject({ level: "fatal", msg: `cannot migrate: ${why}` });
});

test("migrate reports when the schema is up to date", () => {
  const { status, line, rest } = migrateWith({ DATABASE_URL: home.url, DATABASE_SCHEMA: empty.schema });
  expect([status, rest, line.msg]).toEqual([0, [""], "the schema is up to date"]);
});

test("a schema that is not provisioned is reported like a missing database", async () => {
  const nowhere = connect({ url: home.url, schema: "nowhere", max: 1 });
  const error = await migrate({ db: nowhere.db, migrations: {} }).catch((thrown: unknown) => thrown);
  await nowhere.close();
  expect(describeDatabaseError(error, home.url)).toMatch(/cannot be used: .* provision the database first$/);
});
