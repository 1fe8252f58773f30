import { execFileSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { gitTest, wayTo } from "./testing.js";

// Operations as jobs, while the host of the repository is away.

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, emptyRepository, close } = gitTest(t);
beforeAll(() => t.doJobs());
const ways: { close(): Promise<unknown> }[] = [];
afterAll(async () => {
  await Promise.all(ways.map((way) => way.close()));
  await close();
  await t.drop();
});

async function wayOf(address: string) {
  const way = await wayTo(address);
  ways.push(way);
  return way;
}

interface Waiting {
  attempts: number;
  /** Seconds between the end of the last try and the next one. */
  pause: number;
}

/** The job of a kind once it waits behind so many tries. */
async function waitingBehind(kind: string, tries: number): Promise<Waiting> {
  let found: Waiting | undefined;
  const look = async () => {
    const { rows } =
      await sql<Waiting>`select attempts, extract(epoch from run_at - job.updated_at)::float8 as pause
      from _private_jobs as job join _private_tasks as task on task.id = job.task_id
      where identifier = ${kind} and attempts >= ${tries} and locked_at is null`.execute(t.db);
    [found] = rows;
    return rows.length;
  };
  await expect.poll(look, { interval: 20 }).toBe(1);
  return found!;
}

const operationOf = async (spaceId: string) => (await admin.git.info({ spaceId })).operation!;
const stateOf = async (spaceId: string) => (await operationOf(spaceId)).state;
const endOf = (spaceId: string) => expect.poll(() => stateOf(spaceId), { interval: 20 }).not.toBe("running");
const jobsOf = async (kind: string) => {
  const { rows } =
    await sql`select from _private_jobs as job join _private_tasks as task on task.id = job.task_id
    where identifier = ${kind}`.execute(t.db);
  return rows.length;
};

test("while the host is away an import is tried three times with growing pauses, running meanwhile, and fails then", async () => {
  const way = await wayOf((await repositoryOf({ "README.md": "# Home\n" })).url);
  way.set("closed");
  const spaceId = await t.space();
  await admin.git.importRepository({ spaceId, url: way.url, ref: "refs/heads/main" });
  const pauses: number[] = [];
  for (const tries of [1, 2]) {
    const { attempts, pause } = await waitingBehind("git.import", tries);
    expect(attempts).toBe(tries);
    pauses.push(pause);
    expect(await operationOf(spaceId)).toMatchObject({
      state: "running",
      reason: "unreachable",
      error: expect.stringMatching(/./),
    });
  }
  expect(pauses[0]).toBeGreaterThan(1);
  expect(pauses[1]).toBeGreaterThan(2 * pauses[0]!);
  await endOf(spaceId);
  expect(await operationOf(spaceId)).toMatchObject({ state: "failure", reason: "unreachable" });
  expect(way.taken()).toBe(3);
  await expect.poll(() => jobsOf("git.import")).toBe(0);
  expect((await admin.content.pages({ spaceId })).pages).toEqual([]);
});

test("a host that is back by the next try is imported from, once, and the error of the try before is gone", async () => {
  const way = await wayOf((await repositoryOf({ "README.md": "# Home\n" })).url);
  way.set("closed");
  const spaceId = await t.space();
  await admin.git.importRepository({ spaceId, url: way.url, ref: "refs/heads/main" });
  await waitingBehind("git.import", 1);
  way.set("open");
  await endOf(spaceId);
  const { state, error, reason } = await operationOf(spaceId);
  expect({ state, error, reason }).toEqual({ state: "success", error: undefined, reason: undefined });
  expect((await admin.content.pages({ spaceId })).pages).toMatchObject([{ title: "Home" }]);
  const revisions = await sql`select from revision where space = ${spaceId} and git is not null`.execute(
    t.db,
  );
  expect(revisions.rows).toHaveLength(1);
});

test("an export whose host is away goes out when it is back, as one commit", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await admin.git.importRepository({ spaceId, url: source.url, ref: "refs/heads/main" });
  await endOf(spaceId);
  const target = await emptyRepository();
  const way = await wayOf(target.url);
  way.set("closed");
  const request = { spaceId, url: way.url, ref: "refs/heads/main", commitMessage: "Out" };
  await admin.git.exportRepository(request);
  await waitingBehind("git.export", 1);
  way.set("open");
  await endOf(spaceId);
  expect(await operationOf(spaceId)).toMatchObject({ state: "success", direction: "export" });
  expect(execFileSync("git", ["log", "--format=%s"], { cwd: target.folder }).toString()).toBe("Out\n");
});

test("an export into a repository whose files are just being changed is tried again", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await admin.git.importRepository({ spaceId, url: source.url, ref: "refs/heads/main" });
  await endOf(spaceId);
  const { url, folder } = await emptyRepository();
  execFileSync("git", ["config", "receive.denyCurrentBranch", "updateInstead"], { cwd: folder });
  const lock = join(folder, ".git/index.lock");
  await writeFile(lock, "");
  await admin.git.exportRepository({ spaceId, url, ref: "refs/heads/main", commitMessage: "Out" });
  await waitingBehind("git.export", 1);
  expect(await operationOf(spaceId)).toMatchObject({
    state: "running",
    reason: "unreachable",
    error: expect.stringContaining("being changed"),
  });
  await rm(lock);
  await endOf(spaceId);
  expect(await operationOf(spaceId)).toMatchObject({ state: "success", direction: "export" });
});

test("what no pause mends is not tried again", async () => {
  const way = await wayOf((await repositoryOf({ "README.md": "# Home\n" })).url);
  const spaceId = await t.space();
  await admin.git.importRepository({ spaceId, url: way.url, ref: "refs/heads/missing" });
  await endOf(spaceId);
  expect(await operationOf(spaceId)).toMatchObject({ state: "failure", reason: undefined });
  await expect.poll(() => jobsOf("git.import")).toBe(0);
});
