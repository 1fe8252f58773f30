import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { waitsFor } from "../../testing/locks.js";
import { createCaller } from "../../trpc.js";
import { runImport } from "../import.js";
import * as operations from "../operations.js";
import { stateOf } from "../state.js";
import { filesIn, gitTest, wayTo, write } from "../testing.js";
import { keepInStep } from "./step.js";
import { webhookRoute } from "./webhook.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, emptyRepository, close } = gitTest(t);
t.directory.member("acme", { user: "ada", role: "admin", teams: [] });
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const PAGES = ["a", "b", "c", "d"];
const source = {
  "SUMMARY.md": `# Contents\n\n${PAGES.map((page) => `- [${page.toUpperCase()}](${page}.md)\n`).join("")}`,
  ...Object.fromEntries(PAGES.map((page) => [`${page}.md`, `# ${page.toUpperCase()}\n\nFirst.\n`])),
};

const step = (space: string, signal = new AbortController().signal) =>
  keepInStep(t.ctx, { space, signal, isLast: true });

async function kept(files: Record<string, string> = source) {
  const server = await repositoryOf(files);
  const spaceId = await t.space();
  await admin.gitSync.update({ spaceId, url: server.url, ref: "refs/heads/main" });
  await step(spaceId);
  return { server, spaceId };
}

/** Merges another text for a page. */
async function merge(spaceId: string, pagePath: string, text: string) {
  const { id: page, title } = await admin.content.pageAtPath({ spaceId, pagePath });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const document = { markdown: `# ${title}\n\n${text}\n` };
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "update_page", page, document }],
  });
  expect(await admin.changeRequests.merge({ spaceId, changeRequestId })).toMatchObject({ result: "merge" });
}

async function addPage(spaceId: string, title: string) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "insert_page" as const, title, document: { markdown: `# ${title}\n` } }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
}

const conflictOf = async (spaceId: string) => (await admin.gitSync.get({ spaceId })).conflict;

async function push(
  server: { folder: string; commit(message: string): Promise<string> },
  page: string,
  text: string,
) {
  await write(server.folder, { [`${page}.md`]: `# ${page.toUpperCase()}\n\n${text}\n` });
  await server.commit(`Push ${page}`);
}

const textAt = async (spaceId: string, pagePath: string) =>
  ((await admin.content.pageAtPath({ spaceId, pagePath })) as { markdown: string }).markdown;

async function expectEqual(spaceId: string, folder: string) {
  const files = await filesIn(folder);
  for (const page of PAGES) expect(await textAt(spaceId, page), page).toBe(files[`${page}.md`]);
}

test("merges are exported and pushes imported, also when both sides changed other pages meanwhile", async () => {
  const { server, spaceId } = await kept();
  await expectEqual(spaceId, server.folder);
  const { id } = await admin.content.pageAtPath({ spaceId, pagePath: "a" });
  await merge(spaceId, "a", "Merged.");
  await step(spaceId);
  expect(await readFile(join(server.folder, "a.md"), "utf8")).toContain("Merged.");
  await push(server, "b", "Pushed.");
  await step(spaceId);
  expect(await textAt(spaceId, "b")).toContain("Pushed.");
  await merge(spaceId, "a", "Merged again.");
  await push(server, "c", "Pushed again.");
  await step(spaceId);
  expect(await textAt(spaceId, "a")).toContain("Merged again.");
  expect(await textAt(spaceId, "c")).toContain("Pushed again.");
  await expectEqual(spaceId, server.folder);
  expect((await admin.content.pageAtPath({ spaceId, pagePath: "a" })).id).toBe(id);
  expect(await admin.gitSync.get({ spaceId })).toMatchObject({ conflict: undefined });
});

test("what both sides changed differently stays in a change request, until it is decided and exported", async () => {
  const { server, spaceId } = await kept();
  await merge(spaceId, "a", "Ours.");
  await merge(spaceId, "b", "Also ours.");
  await push(server, "a", "Theirs.");
  await step(spaceId);
  expect(await textAt(spaceId, "a")).toContain("Theirs.");
  await expectEqual(spaceId, server.folder);
  const { conflict } = await admin.gitSync.get({ spaceId });
  const changeRequestId = conflict!;
  const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  const page = pages.find(({ title }) => title === "A")!.id;
  const own = await admin.changeRequestContent.page({ spaceId, changeRequestId, pageId: page });
  expect((own as { markdown: string }).markdown).toContain("Ours.");
  const document = { markdown: "# A\n\nBoth.\n" };
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "update_page", page, document }],
  });
  await step(spaceId);
  expect(await textAt(spaceId, "a")).toContain("Both.");
  expect(await textAt(spaceId, "b")).toContain("Also ours.");
  await expectEqual(spaceId, server.folder);
  expect((await admin.gitSync.get({ spaceId })).conflict).toBeUndefined();
});

test("several conflicts are named one after the other, until each is decided", async () => {
  const { server, spaceId } = await kept();
  for (const page of ["a", "b"]) {
    await merge(spaceId, page, "Ours.");
    await push(server, page, "Theirs.");
    await step(spaceId);
  }
  // The oldest comes first.
  for (const page of ["a", "b"]) {
    const changeRequestId = (await conflictOf(spaceId))!;
    const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
    const { id, title } = pages.find(({ title }) => title === page.toUpperCase())!;
    const document = { markdown: `# ${title}\n\nBoth.\n` };
    await admin.changeRequests.edit({
      spaceId,
      changeRequestId,
      changes: [{ operation: "update_page", page: id, document }],
    });
    expect(await admin.changeRequests.merge({ spaceId, changeRequestId })).toMatchObject({ result: "merge" });
    expect(await textAt(spaceId, page)).toContain("Both.");
  }
  expect(await conflictOf(spaceId)).toBeUndefined();
  await step(spaceId);
  await expectEqual(spaceId, server.folder);
});

/** Leaves a space as if the service had died before it recorded the end of its push of the page "New". */
async function forgetPush(
  spaceId: string,
  { space: _, ...state }: NonNullable<Awaited<ReturnType<typeof stateOf>>>,
) {
  await t.db.updateTable("git_state").set(state).where("space", "=", spaceId).execute();
  await t.db
    .updateTable("git_operation")
    .set({ state: "failure" })
    .where("space", "=", spaceId)
    .where("pushed", "is not", null)
    .execute();
  await sql`update entry set git_path = null, git_oid = null where branch = ${spaceId} and title = 'New'`.execute(
    t.db,
  );
}

test("a push on top of an export whose end was not recorded is no conflict", async () => {
  const { server, spaceId } = await kept();
  const before = await stateOf(t.ctx, spaceId);
  await merge(spaceId, "a", "Merged.");
  await addPage(spaceId, "New");
  await step(spaceId);
  await forgetPush(spaceId, before!);
  await push(server, "a", "On top.");
  await write(server.folder, { "new.md": "# New\n\nOn top, too.\n" });
  await server.commit("Push new");
  await merge(spaceId, "b", "Beside.");
  await step(spaceId);
  expect(await conflictOf(spaceId)).toBeUndefined();
  expect((await admin.content.pages({ spaceId })).pages.map(({ title }) => title)).toEqual([
    ...PAGES.map((page) => page.toUpperCase()),
    "New",
  ]);
  expect(await textAt(spaceId, "a")).toContain("On top.");
  expect(await textAt(spaceId, "new")).toContain("On top, too.");
  await expectEqual(spaceId, server.folder);
});

test("a branch that somebody set back to an earlier export is imported", async () => {
  const { server, spaceId } = await kept();
  await merge(spaceId, "a", "Once.");
  await step(spaceId);
  const run = promisify(execFile);
  const earlier = (await run("git", ["rev-parse", "HEAD"], { cwd: server.folder })).stdout.trim();
  await merge(spaceId, "a", "Twice.");
  await step(spaceId);
  await run("git", ["reset", "--quiet", "--hard", earlier], { cwd: server.folder });
  await step(spaceId);
  expect(await textAt(spaceId, "a")).toContain("Once.");
  await expectEqual(spaceId, server.folder);
});

test("pages that were made or deleted beside a push are so on both sides afterwards", async () => {
  const { server, spaceId } = await kept();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const { id: page } = await admin.content.pageAtPath({ spaceId, pagePath: "d" });
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [
      { operation: "delete_page", page },
      { operation: "insert_page", title: "New", document: { markdown: "Text.\n" } },
    ],
  });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  await push(server, "b", "Pushed.");
  await step(spaceId);
  const files = await filesIn(server.folder);
  expect(Object.keys(files).sort()).toEqual(["SUMMARY.md", "a.md", "b.md", "c.md", "new.md"]);
  expect((await admin.content.pages({ spaceId })).pages.map(({ title }) => title)).toEqual([
    "A",
    "B",
    "C",
    "New",
  ]);
});

test("twelve merges and pushes in turn, with runs that end half-way, leave both sides equal", async () => {
  const { server, spaceId } = await kept();
  for (let turn = 0; turn < 12; turn += 1) {
    const page = PAGES[(turn * 7) % PAGES.length]!;
    if (turn % 2 === 0) await merge(spaceId, page, `Merge ${turn}.`);
    else await push(server, page, `Push ${turn}.`);
    if (turn % 3 === 1) continue;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error("the service stops")), 150 * (1 + (turn % 5)));
    await step(spaceId, stop.signal).catch(() => undefined);
    clearTimeout(timer);
    if (turn % 4 === 3) await step(spaceId);
  }
  await step(spaceId);
  await expectEqual(spaceId, server.folder);
  expect((await admin.git.info({ spaceId })).operation).toMatchObject({ state: "success" });
});

test("a space fills a repository that has nothing yet, when it has the priority", async () => {
  const server = await emptyRepository();
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "insert_page" as const, title: "Home", document: { markdown: "Text.\n" } }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  await admin.gitSync.update({ spaceId, url: server.url, ref: "refs/heads/main", priority: "space" });
  await step(spaceId);
  expect(Object.keys(await filesIn(server.folder)).sort()).toEqual(["README.md", "SUMMARY.md"]);
});

test("a first export with the priority that died behind its push is not done again over what was pushed on top", async () => {
  const server = await repositoryOf({ ...source, "a.md": "# A\n\nOf the repository.\n" });
  const spaceId = await t.space();
  const from = await repositoryOf(source);
  await admin.git.importRepository({ spaceId, url: from.url, ref: "refs/heads/main" });
  const { id } = await t.db
    .selectFrom("git_operation")
    .select("id")
    .where("space", "=", spaceId)
    .executeTakeFirstOrThrow();
  await runImport(t.ctx, (await operations.findRunning(t.ctx, id))!, new AbortController().signal);
  await addPage(spaceId, "New");
  const prioritize = () =>
    admin.gitSync.update({ spaceId, url: server.url, ref: "refs/heads/main", priority: "space" });
  await prioritize();
  const before = await stateOf(t.ctx, spaceId);
  const settings = await t.db
    .selectFrom("git_sync")
    .selectAll()
    .where("space", "=", spaceId)
    .executeTakeFirstOrThrow();
  await step(spaceId);
  expect(await filesIn(server.folder)).toMatchObject({ "a.md": "# A\n\nFirst.\n" });
  await forgetPush(spaceId, before!);
  const { initial, checked_at } = settings;
  await t.db.updateTable("git_sync").set({ initial, checked_at }).where("space", "=", spaceId).execute();
  await push(server, "a", "On top.");
  await merge(spaceId, "b", "Beside.");
  await step(spaceId);
  expect(await textAt(spaceId, "a")).toContain("On top.");
  expect(await textAt(spaceId, "b")).toContain("Beside.");
  expect(await conflictOf(spaceId)).toBeUndefined();
  await expectEqual(spaceId, server.folder);
  // Whoever gives the space the priority again means what the branch has now.
  await push(server, "c", "To be replaced.");
  await prioritize();
  await step(spaceId);
  expect(await textAt(spaceId, "c")).not.toContain("To be replaced.");
  await expectEqual(spaceId, server.folder);
});

test("while the host accepts and says nothing, both sides stay as they are, and follow when it speaks again", async () => {
  const { server, spaceId } = await kept();
  const host = await wayTo(server.url);
  const ref = "refs/heads/main";
  await admin.gitSync.update({ spaceId, url: host.url, ref });
  await step(spaceId);
  await merge(spaceId, "a", "Merged.");
  const before = await filesIn(server.folder);
  host.set("silent");
  await step(spaceId);
  expect((await admin.git.info({ spaceId })).operation).toMatchObject({
    state: "failure",
    error: "The repository did not respond in time",
  });
  expect(await filesIn(server.folder)).toEqual(before);
  expect(await textAt(spaceId, "a")).toContain("Merged.");
  host.set("open");
  await push(server, "b", "Pushed.");
  await step(spaceId);
  await expectEqual(spaceId, server.folder);
  expect((await admin.git.info({ spaceId })).operation).toMatchObject({ state: "success" });
  await host.close();
});

test("settings that are put while a run ends keep their priority", async () => {
  const server = await repositoryOf(source);
  const other = await repositoryOf({ "other.md": "# Other\n" });
  const spaceId = await t.space();
  const ref = "refs/heads/main";
  await admin.gitSync.update({ spaceId, url: server.url, ref });
  let looks = 0;
  // The first look is at the tip, the second one is the import.
  const resolve = async (...asked: Parameters<typeof t.ctx.egress.resolve>) => {
    looks += 1;
    if (looks === 2) await admin.gitSync.update({ spaceId, url: other.url, ref, priority: "space" });
    return t.ctx.egress.resolve(...asked);
  };
  const egress = { ...t.ctx.egress, resolve };
  await keepInStep(
    { ...t.ctx, egress },
    { space: spaceId, signal: new AbortController().signal, isLast: true },
  );
  expect(looks).toBeGreaterThan(2);
  await step(spaceId);
  await expectEqual(spaceId, other.folder);
  await expectEqual(spaceId, server.folder);
});

test("a sync pauses while who set it may not any more, and goes on when they may, or somebody else sets it", async () => {
  const { server, spaceId } = await kept();
  const bob = t.as({ acme: "admin" }, { id: "bob" });
  for (const lose of [
    () => t.directory.leave("acme", "ada"),
    () => t.directory.member("acme", { user: "ada", role: "edit", teams: [] }),
  ]) {
    lose();
    const before = await textAt(spaceId, "b");
    await push(server, "b", `Pushed ${before.length}.`);
    await step(spaceId);
    expect(await textAt(spaceId, "b")).toBe(before);
    expect(await bob.gitSync.get({ spaceId })).toMatchObject({ paused: "permission" });
    t.directory.member("acme", { user: "ada", role: "admin", teams: [] });
    await step(spaceId);
    expect((await bob.gitSync.get({ spaceId })).paused).toBeUndefined();
    await expectEqual(spaceId, server.folder);
  }
  t.directory.leave("acme", "ada");
  await push(server, "c", "Pushed for Bob.");
  t.directory.member("acme", { user: "bob", role: "admin", teams: [] });
  await bob.gitSync.update({ spaceId, url: server.url, ref: "refs/heads/main" });
  await step(spaceId);
  await expectEqual(spaceId, server.folder);
  t.directory.member("acme", { user: "ada", role: "admin", teams: [] });
});

test("a transfer ends the sync, also for a run that is about to begin", async () => {
  const server = await repositoryOf(source);
  const spaceId = await t.space();
  await admin.gitSync.update({ spaceId, url: server.url, ref: "refs/heads/main" });
  const transaction = await t.db.startTransaction().execute();
  const user = t.user({ acme: "admin", beta: "admin" }, { id: "ada" });
  const { spaces } = createCaller(router)({ ...t.context(user), db: transaction });
  await spaces.transfer({ spaceId, organization: "beta" });
  const outcome = step(spaceId);
  expect(await waitsFor(t.db, transaction, outcome)).toBe(true);
  await transaction.commit().execute();
  await outcome;
  const owner = t.as({ beta: "admin" });
  await expect(owner.git.info({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(owner.gitSync.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await owner.content.pages({ spaceId })).pages).toEqual([]);
});

test("PUT git/sync seals credentials and shows the secret once; who may not is refused", async () => {
  const spaceId = await t.space();
  const input = { spaceId, url: "https://ada:hunter2@git.example/x.git", ref: "refs/heads/main" };
  const reviewer = t.as({ acme: "review" }, { id: "reviewer" });
  await expect(reviewer.gitSync.update(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(admin.gitSync.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const set = await admin.gitSync.update(input);
  expect(set).toMatchObject({ url: "https://git.example/x.git", secret: expect.stringMatching(/^.{32}$/) });
  const read = await admin.gitSync.get({ spaceId });
  expect(read.secret).toBeUndefined();
  await expect(reviewer.gitSync.get({ spaceId })).rejects.toMatchObject({ code: "FORBIDDEN" });
  const row = await t.db.selectFrom("git_sync").selectAll().where("space", "=", spaceId).executeTakeFirst();
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`hunter2|${set.secret}`));
  await expect(reviewer.gitSync.remove({ spaceId })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await admin.gitSync.remove({ spaceId });
  await expect(admin.gitSync.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the webhook takes what GitHub, Gitea and GitLab sign, and nothing else", async () => {
  const spaceId = await t.space();
  const secret = "a secret of some length";
  const input = { spaceId, url: "https://git.example/x.git", ref: "refs/heads/main", secret };
  await admin.gitSync.update(input);
  const address = await t.serve(router, [webhookRoute(() => t.ctx)]);
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const digest = createHmac("sha256", secret).update(body).digest("hex");
  const statusFor = async (headers: Record<string, string>, space = spaceId) =>
    (await fetch(`${address}/v1/spaces/${space}/git/webhook`, { method: "POST", body, headers })).status;
  expect(await statusFor({ "x-hub-signature-256": `sha256=${digest}` })).toBe(204);
  expect(await statusFor({ "x-gitea-signature": digest })).toBe(204);
  expect(await statusFor({ "x-gitlab-token": secret })).toBe(204);
  expect(await statusFor({})).toBe(403);
  expect(await statusFor({ "x-hub-signature-256": `sha256=${"0".repeat(64)}` })).toBe(403);
  expect(await statusFor({ "x-gitlab-token": `${secret}!` })).toBe(403);
  expect(await statusFor({ "x-gitlab-token": secret }, "nobody")).toBe(403);
});
