import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { keepInStep } from "./sync/step.js";
import { filesIn, gitTest, write } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, emptyRepository, serving, run, edit, close } = gitTest(t);
t.directory.member("acme", { user: "ada", role: "admin", teams: [] });
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const ref = "refs/heads/main";
const step = (space: string) =>
  keepInStep(t.ctx, { space, signal: new AbortController().signal, isLast: true });
const titles = async (spaceId: string) =>
  (await admin.content.pages({ spaceId })).pages.map(({ title }) => title);
const added = (title: string) => ({
  operation: "insert_page" as const,
  title,
  document: { markdown: "Text.\n" },
});

/** A space with a page, a file, and what an import brought. */
async function filledSpace() {
  const spaceId = await t.space();
  const source = await repositoryOf({
    "README.md": "# Home\n",
    ".gitbook/assets/a.txt": "a",
    ".gitbook/includes/note.md": "Note.\n",
    ".gitbook/vars.yaml": "product: Octavo\n",
  });
  await run(spaceId, source.url);
  const { id } = (await admin.content.pages({ spaceId })).pages[0]!;
  await edit(spaceId, [{ ...added("Own"), into: id }]);
  return { spaceId, source };
}

/** Takes every commit and file from a repository. */
async function clear({ folder }: { folder: string }) {
  await promisify(execFile)("git", ["update-ref", "-d", ref], { cwd: folder });
  await rm(join(folder, ".git/index"), { force: true });
  for (const name of await readdir(folder))
    if (name !== ".git") await rm(join(folder, name), { recursive: true });
}

test("an import of an empty repository empties the space; earlier revisions keep what it had", async () => {
  const { spaceId } = await filledSpace();
  const before = await admin.content.revision({ spaceId });
  const server = await emptyRepository();
  expect(await run(spaceId, server.url)).toMatchObject({ state: "success", revision: expect.any(String) });
  const after = await admin.content.revision({ spaceId });
  expect(after).toMatchObject({ pages: [], files: [], variables: {}, reusableContents: [], git: undefined });
  const then = await admin.revisionContent.revision({ spaceId, revisionId: before.id });
  expect(then.pages).toEqual(before.pages);
  await write(server.folder, { "README.md": "# Begun\n" });
  await server.commit("First");
  expect(await run(spaceId, server.url)).toMatchObject({ state: "success" });
  expect(await titles(spaceId)).toEqual(["Begun"]);
});

test("what is no repository, and a ref that a repository lacks, leave a space as it is", async () => {
  const { spaceId, source } = await filledSpace();
  const before = await admin.content.revision({ spaceId });
  const answers = ["", "<h1>Hello</h1>", "001e# service=git-upload-pack\n0000"];
  for (const body of answers) {
    const types = ["text/html", "application/x-git-upload-pack-advertisement"];
    for (const type of types) {
      const url = await serving((_, res) => void res.writeHead(200, { "content-type": type }).end(body));
      expect(await run(spaceId, url), `${type}: ${body}`).toMatchObject({ state: "failure" });
    }
  }
  expect(await run(spaceId, source.url, { ref: "refs/heads/other" })).toMatchObject({
    state: "failure",
    error: expect.stringContaining("no such ref"),
  });
  expect(await admin.content.revision({ spaceId })).toEqual(before);
});

test("a sync that gives an empty repository the priority empties the space, and goes on from there", async () => {
  const { spaceId } = await filledSpace();
  const server = await emptyRepository();
  await admin.gitSync.update({ spaceId, url: server.url, ref, priority: "repository" });
  await step(spaceId);
  expect(await titles(spaceId)).toEqual([]);
  const { operation } = await admin.git.info({ spaceId });
  expect(operation).toMatchObject({ direction: "import", state: "success" });
  await step(spaceId);
  expect((await admin.git.info({ spaceId })).operation).toEqual(operation);
  expect(await filesIn(server.folder)).toEqual({});
  await edit(spaceId, [added("Merged")]);
  await step(spaceId);
  expect(Object.keys(await filesIn(server.folder)).sort()).toEqual(["README.md", "SUMMARY.md"]);
  await write(server.folder, { "SUMMARY.md": "* [Pushed](README.md)\n" });
  await server.commit("Pushed");
  await step(spaceId);
  expect(await titles(spaceId)).toEqual(["Pushed"]);
});

test("a push is the first thing that comes into a space that an empty repository emptied", async () => {
  const { spaceId } = await filledSpace();
  const server = await emptyRepository();
  await admin.gitSync.update({ spaceId, url: server.url, ref, priority: "repository" });
  await step(spaceId);
  await write(server.folder, { "README.md": "# Pushed\n" });
  await server.commit("Pushed");
  await step(spaceId);
  expect(await titles(spaceId)).toEqual(["Pushed"]);
});

test("a sync without a priority begins the branch of an empty repository by the space", async () => {
  const { spaceId } = await filledSpace();
  const server = await emptyRepository();
  await admin.gitSync.update({ spaceId, url: server.url, ref });
  await step(spaceId);
  expect(await titles(spaceId)).toEqual(["Home"]);
  expect(Object.keys(await filesIn(server.folder))).toContain("README.md");
});

test("a repository that is emptied while a space is kept in step with it takes nothing from the space", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n", "b.md": "# B\n" });
  const spaceId = await t.space();
  await admin.gitSync.update({ spaceId, url: server.url, ref, priority: "repository" });
  await step(spaceId);
  const before = await admin.content.revision({ spaceId });
  await clear(server);
  expect(await run(spaceId, server.url, { continues: true })).toMatchObject({
    state: "failure",
    error: "The repository is empty",
  });
  expect(await admin.content.revision({ spaceId })).toEqual(before);
  await step(spaceId);
  expect(await titles(spaceId)).toEqual(["Home", "B"]);
  expect(await filesIn(server.folder)).toMatchObject({ "README.md": "# Home\n", "b.md": "# B\n" });
});
