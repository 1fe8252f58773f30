import { GitSyncCompleted } from "@octavo/shared/contracts/events/content";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { up as eraseRequests } from "../migrations/0040-import-outcomes.js";
import { contentTest } from "../testing/content.js";
import * as operations from "./operations.js";
import { gitTest, write } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin", beta: "admin" });
const { repositoryOf, run, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const REMOTE = { url: "https://git.example.com/x.git", ref: "refs/heads/main" };

const operationsOf = (spaces: string[]) =>
  t.db.selectFrom("git_operation").selectAll().where("space", "in", spaces).orderBy("id").execute();

test("the request, which may hold credentials, is erased when an import ends", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  const space = await t.space();
  await run(space, server.url);
  await run(space, server.url);
  await run(space, "http://ada:secret@127.0.0.1:1/x.git");
  const rows = await operationsOf([space]);
  expect(rows.map(({ state, request }) => [state, request])).toEqual([
    ["success", ""],
    ["success", ""],
    ["failure", ""],
  ]);
});

test("the migration erases the requests of imports that ended before it, and no other", async () => {
  const space = await t.space();
  for (const state of ["success", "failure", "running"] as const) {
    const id = newId();
    await operations.insert(t.ctx, { id, space, request: "sealed", created_by: "someone" });
    await t.db.updateTable("git_operation").set({ state }).where("id", "=", id).execute();
  }
  await sql`alter table git_operation drop column queue, drop column skipped`.execute(t.db);
  await sql`alter table import_file drop column renamed_from`.execute(t.db);
  await sql`drop index git_operation_running`.execute(t.db);
  await eraseRequests(t.db as unknown as Kysely<unknown>);
  const rows = await operationsOf([space]);
  expect(rows.map(({ state, request }) => [state, request])).toEqual([
    ["success", ""],
    ["failure", ""],
    ["running", "sealed"],
  ]);
});

test("an operation that has ended stays as it is, whatever a try that was given up still does", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  const space = await t.space();
  const ended = run(
    space,
    server.url,
    {},
    {
      ...t.ctx,
      // The try is given up while it fetches.
      egress: {
        ...t.ctx.egress,
        resolve: async (url) => {
          const [operation] = await operationsOf([space]);
          await operations.fail(t.ctx, operation!, { message: "given up" });
          return t.ctx.egress.resolve(url);
        },
      },
    },
  );
  await expect(ended).rejects.toThrow("has ended already");
  expect((await operationsOf([space]))[0]).toMatchObject({ state: "failure", error: "given up" });
  expect((await admin.content.pages({ spaceId: space })).pages).toEqual([]);
  const completed = await t.emitted(GitSyncCompleted.name);
  const { revision } = await admin.spaces.get({ spaceId: space });
  expect(completed.filter((event) => (event as { space: string }).space === space)).toEqual([
    { space, organization: expect.any(String), revision, state: "failure" },
  ]);
});

test("POST git/import refuses an earlier state than the one that is there, unless it is forced", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await run(spaceId, server.url, { timestamp: "2026-01-02T00:00:00.500Z" });
  const from = (timestamp: string, more: object = {}) =>
    admin.git.importRepository({ ...REMOTE, spaceId, timestamp, ...more });
  for (const earlier of ["2026-01-02T00:00:00Z", "2026-01-01T23:59:59.999Z", "2026-01-02T01:00:00+02:00"])
    await expect(from(earlier), earlier).rejects.toMatchObject({
      code: "CONFLICT",
      details: { reason: "outdated_import" },
    });
  expect(await operationsOf([spaceId])).toHaveLength(1);
  await from("2026-01-02T00:00:00.500Z");
  await from("2026-01-03T00:00:00Z");
  await from("2026-01-01T00:00:00Z", { force: true });
  await from("2026-01-01T00:00:00Z", { standalone: true });
  await admin.git.importRepository({ ...REMOTE, spaceId });
  expect(await operationsOf([spaceId])).toHaveLength(6);
});

test("an import that waited while a later state came in fails, and changes nothing", async () => {
  const server = await repositoryOf({ "README.md": "# Later\n" });
  const space = await t.space();
  await run(space, server.url, { timestamp: "2026-01-02T00:00:00Z" });
  await write(server.folder, { "README.md": "# Earlier\n" });
  await server.commit("An earlier state");
  const outdated = { timestamp: "2026-01-01T00:00:00Z" };
  expect(await run(space, server.url, outdated)).toMatchObject({
    state: "failure",
    error: "A later state of the repository is already there",
  });
  expect((await admin.content.pages({ spaceId: space })).pages).toMatchObject([{ title: "Later" }]);
  expect(await run(space, server.url, { ...outdated, force: true })).toMatchObject({ state: "success" });
  expect((await admin.content.pages({ spaceId: space })).pages).toMatchObject([{ title: "Earlier" }]);
});

test("imports of an organization share two queues, those of a space one", async () => {
  const spaces = await Promise.all(Array.from({ length: 6 }, () => t.space({ organization: "beta" })));
  await Promise.all(spaces.map((spaceId) => admin.git.importRepository({ ...REMOTE, spaceId })));
  for (const spaceId of spaces) await admin.git.importRepository({ ...REMOTE, spaceId });
  const rows = await operationsOf(spaces);
  const queues = new Map<string | null, number>();
  for (const { queue } of rows) queues.set(queue, (queues.get(queue) ?? 0) + 1);
  expect([...queues.values()]).toEqual([6, 6]);
  for (const space of spaces)
    expect(new Set(rows.filter((row) => row.space === space).map(({ queue }) => queue)).size).toBe(1);
  const { rows: jobs } = await sql<{ queue: string }>`select distinct q.queue_name as queue
    from _private_jobs j join _private_job_queues q on q.id = j.job_queue_id
    where q.queue_name like 'git:beta:%'`.execute(t.db);
  expect(jobs.map(({ queue }) => queue).sort()).toEqual([...queues.keys()].sort());
});
