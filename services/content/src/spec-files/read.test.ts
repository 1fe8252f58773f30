import { prepareQueue } from "@octavo/shared/jobs/queue";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../files/collect.js";
import { hashOf } from "../store/bodies.js";
import { contentTest } from "../testing/content.js";
import { readAll } from "./jobs.js";
import { keepDocument } from "./queries.js";
import { specIn } from "./read.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(() => t.drop());
const admin = t.as({ acme: "admin" });
const { signal } = new AbortController();

const PETS = "paths:\n  /pets:\n    get: {}\n";
const PETS_JSON = '{"paths":{"/pets":{"get":{}}}}';

async function insert(texts: Record<string, string>) {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    base64: Buffer.from(text).toString("base64"),
  }));
  const changes = [{ operation: "insert_files" as const, files }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  return { spaceId, changeRequestId };
}

/** What the jobs were given to read, by the queue that they are in. */
async function queued(): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ queue: string; hashes: string[] }>`
    select q.queue_name as queue, j.payload->'payload'->'hashes' as hashes from _private_jobs j
    join _private_job_queues q on q.id = j.job_queue_id`.execute(t.db);
  return Object.fromEntries(rows.map(({ queue, hashes }) => [queue, hashes.toSorted()]));
}

const kept = async () =>
  Object.fromEntries(
    (await t.db.selectFrom("file_specification").selectAll().execute()).map((row) => [
      row.hash,
      row.document,
    ]),
  );

/** The context of a process that has read nothing yet, and cannot read specifications. */
const elsewhere = () => ({
  ...t.ctx,
  cache: new Map() as unknown as typeof t.ctx.cache,
  specReader: { ...t.ctx.specReader, readAsWritten: () => Promise.reject(new Error("is read again")) },
});

test("files that may be specifications are read after the commit that brings them, and pages find what was read", async () => {
  const files = {
    "pets.yaml": PETS,
    "settings.json": '{"a":1}',
    "broken.yml": "a: [",
    "notes.txt": PETS,
    "long.json": JSON.stringify({ paths: {}, long: "x".repeat(2 * 1024 * 1024) }),
  };
  await insert(files);
  const hashes = ["pets.yaml", "settings.json", "broken.yml"].map((name) =>
    hashOf(files[name as keyof typeof files]),
  );
  expect(await queued()).toEqual({ "openapi.read-files": hashes.toSorted() });
  await readAll(t.ctx, hashes, { signal });
  expect(await kept()).toEqual({ [hashes[0]!]: PETS_JSON });
  expect(await specIn(elsewhere(), hashes[0]!)).toBe(PETS_JSON);
  await expect(specIn(elsewhere(), hashes[1]!)).rejects.toThrow("is read again");
});

test("what a job has no time for is left, and what was read from a file goes with its content, and is not kept when that is gone meanwhile", async () => {
  const text = `${PETS}# of its own\n`;
  const hash = hashOf(text);
  const { spaceId } = await insert({ "own.yaml": text });
  await readAll(t.ctx, [hash], { signal, withinMs: 0 });
  expect(await kept()).not.toHaveProperty(hash);
  await readAll(t.ctx, [hash], { signal });
  expect(await kept()).toHaveProperty(hash);
  await admin.spaces.remove({ spaceId });
  await sql`delete from entry where body = ${hash}`.execute(t.db);
  await sql`update stored_file set check_at = ${t.ctx.clock()} where hash = ${hash}`.execute(t.db);
  await collect(t.ctx);
  expect(await kept()).not.toHaveProperty(hash);
  await keepDocument(t.ctx, hash, PETS_JSON);
  expect(await kept()).not.toHaveProperty(hash);
});
