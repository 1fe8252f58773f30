import { createHmac } from "node:crypto";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { schedules } from "../../jobs.js";
import { keepInStepJob, syncQueueOf } from "../../revisions/keep-in-step.js";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { gitTest, write } from "../testing.js";
import { pollBranches } from "./jobs.js";
import { keepInStep, poll } from "./step.js";
import { webhookRoute } from "./webhook.js";

// When a branch is looked at: because a webhook says so, or because none came for a while.

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, close } = gitTest(t);
t.directory.member("acme", { user: "ada", role: "admin", teams: [] });
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterEach(async () => {
  await t.db.deleteFrom("git_sync").execute();
  await forgetJobs();
});
afterAll(async () => {
  await close();
  await t.drop();
});

const never = new AbortController().signal;
const secret = "a secret of some length";

/** A space that is in step with a branch, as far as is known. */
async function kept() {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await admin.gitSync.update({ spaceId, url: server.url, ref: "refs/heads/main", secret });
  await keepInStep(t.ctx, { space: spaceId, signal: never, isLast: true });
  await forgetJobs();
  return { server, spaceId };
}

const forgetJobs = () => sql`delete from _private_jobs`.execute(t.db);
/** The spaces that wait to be put in step. */
async function waiting(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from _private_jobs order by key`.execute(t.db);
  return rows.map(({ key }) => key);
}
const pollAfter = (minutes: number) =>
  poll({ ...t.ctx, clock: () => new Date(Date.now() + minutes * 60_000) }, never);

test("a branch that nobody told of for minutes is looked at, one that was looked at lately is not", async () => {
  const [one, other] = [await kept(), await kept()];
  await pollAfter(3.5);
  expect(await waiting()).toEqual([]);
  await pollAfter(4.5);
  const both = [syncQueueOf(one.spaceId), syncQueueOf(other.spaceId)].sort();
  expect(await waiting()).toEqual(both);
  await pollAfter(5);
  expect(await waiting()).toEqual(both);
  await forgetJobs();
  const checked_at = new Date(Date.now() + 4 * 60_000);
  await t.db.updateTable("git_sync").set({ checked_at }).where("space", "=", one.spaceId).execute();
  await pollAfter(5);
  expect(await waiting()).toEqual([syncQueueOf(other.spaceId)]);
  expect(schedules).toContainEqual({ cron: "*/5 * * * *", job: pollBranches, payload: {} });
});

test("of more branches than are read at a time each is looked at", async () => {
  const { spaceId } = await kept();
  const many = 1_100;
  await sql`insert into space select (jsonb_populate_record(s, jsonb_build_object('id', 'many-' || n))).*
    from space s, generate_series(1, ${many}) n where s.id = ${spaceId}`.execute(t.db);
  await sql`insert into git_sync select (jsonb_populate_record(g, jsonb_build_object('space', 'many-' || n))).*
    from git_sync g, generate_series(1, ${many}) n where g.space = ${spaceId}`.execute(t.db);
  await pollAfter(5);
  expect(new Set(await waiting()).size).toBe(many + 1);
  await sql`delete from space where id like 'many-%'`.execute(t.db);
});

test("a webhook has its branch looked at now, once for several pushes, and an unsigned one does not", async () => {
  const { spaceId } = await kept();
  const address = await t.serve(router, [webhookRoute(() => t.ctx)]);
  const body = "{}";
  const send = (headers: Record<string, string>) =>
    fetch(`${address}/v1/spaces/${spaceId}/git/webhook`, { method: "POST", body, headers });
  await send({ "x-hub-signature-256": "sha256=00" });
  expect(await waiting()).toEqual([]);
  const digest = createHmac("sha256", secret).update(body).digest("hex");
  for (let push = 0; push < 3; push += 1) await send({ "x-hub-signature-256": `sha256=${digest}` });
  expect(await waiting()).toEqual([syncQueueOf(spaceId)]);
  const due = await sql`select from _private_jobs where run_at <= now()`.execute(t.db);
  expect(due.rows).toHaveLength(1);
});

test("a push that no webhook told of comes in with the next poll", async () => {
  const { server, spaceId } = await kept();
  await write(server.folder, { "README.md": "# Home\n\nPushed.\n" });
  await server.commit("Push");
  await pollAfter(5);
  await t.doJobs(keepInStepJob);
  await sql`update _private_jobs set run_at = now()`.execute(t.db);
  const text = async () => {
    const [page] = (await admin.content.pages({ spaceId })).pages;
    return ((await admin.content.page({ spaceId, pageId: page!.id })) as { markdown: string }).markdown;
  };
  await expect.poll(text).toContain("Pushed.");
  await expect.poll(waiting).toEqual([]);
});
