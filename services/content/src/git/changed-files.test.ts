import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import type { GitServer } from "@octavo/shared/testing/git-server";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { gitTest, write } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, run, send, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const source = {
  "SUMMARY.md":
    "# Contents\n\n* [A](a.md)\n* [B](guide/b.md)\n  * [A once more](a.md)\n* [C](c.md)\n* [Lost](lost.md)\n",
  "a.md": "---\ndescription: About A\n---\n\n# A\n\n[file](files/a.txt)\n",
  "guide/b.md": "# B\n\nSee [A](../a.md).\n",
  "c.md": "---\nhidden: maybe\n---\n\n# C\n",
  "unlisted.md": "# Unlisted\n",
  "files/a.txt": "a",
  "files/b.txt": "b",
  ".gitbook/assets/one.svg": "<svg/>",
  ".gitbook/includes/note.md": "A note.\n",
  ".gitbook/vars.yaml": "name: Octavo\n",
  "src/main.c": "int main;\n",
};

/** All that a space holds, and what is kept of its texts. */
async function heldBy(space: string) {
  const { rows: entries } = await sql`select to_jsonb(e) - 'from_seq' as entry, b.markdown from entry e
    left join body b on b.space = ${space} and b.hash = e.body
    where e.branch = ${space} and e.to_seq is null and not e.removed order by e.id`.execute(t.db);
  const { rows: readings } =
    await sql`select * from git_reading where space = ${space} order by path`.execute(t.db);
  const { rows: state } =
    await sql`select to_jsonb(s) - 'seq' as state from git_state s where space = ${space}`.execute(t.db);
  return { entries, readings, state };
}

/**
 * Changes files of a repository and imports it. Returns how many files were imported, all of them when that was needed,
 * after it has made sure that an import of all files finds nothing else.
 */
async function changed(
  server: GitServer,
  spaceId: string,
  files: Record<string, string>,
  request: object = {},
) {
  await write(server.folder, files);
  await server.commit("Change");
  return imported(server, spaceId, request);
}

async function imported(server: GitServer, spaceId: string, request: object = {}) {
  const operation = await run(spaceId, server.url, request);
  expect(operation).toMatchObject({ state: "success" });
  expect(operation.completedTasks).toBe(operation.dispatchedTasks);
  const held = await heldBy(spaceId);
  const whole = await run(spaceId, server.url, { ...request, force: true });
  expect(await heldBy(spaceId)).toEqual(held);
  expect(operation.skipped).toEqual(whole.skipped);
  return operation.dispatchedTasks;
}

async function repository(files: Record<string, string> = source) {
  const server = await repositoryOf(files);
  const spaceId = await t.space();
  const operation = await run(spaceId, server.url);
  expect(operation).toMatchObject({ state: "success" });
  return { server, spaceId, all: operation.dispatchedTasks };
}

const textAt = async (spaceId: string, pagePath: string) =>
  ((await admin.content.pageAtPath({ spaceId, pagePath })) as { markdown: string }).markdown;

test("of a commit that changes contents alone only those files are imported, with the outcome of importing all", async () => {
  const { server, spaceId } = await repository();
  expect(await changed(server, spaceId, { "guide/b.md": "# B\n\nChanged.\n" })).toBe(1);
  expect(await textAt(spaceId, "b")).toBe("# B\n\nChanged.\n");
  // Two pages are made of it.
  const a = "---\ndescription: Anew\nicon: bolt\n---\n\n# A\n\nSee [it](files/a.txt).\n";
  const more = { "a.md": a, "files/a.txt": "another", ".gitbook/assets/one.svg": "<svg id='x'/>" };
  expect(await changed(server, spaceId, { ...more, ".gitbook/includes/note.md": "Noted.\n" })).toBe(4);
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([
    { title: "A", description: "Anew" },
    { title: "B", pages: [{ title: "A once more", description: "Anew" }] },
    { title: "C" },
    { title: "Lost" },
  ]);
  // What is nothing of the space changes nothing in it.
  expect(await changed(server, spaceId, { "src/main.c": "int x;\n", "unlisted.md": "# Other\n" })).toBe(0);
  expect(await changed(server, spaceId, { "files/b.txt": "c" })).toBe(0);
});

test("covers and links to files that the space has come in with the text alone, links to others with all files", async () => {
  const { server, spaceId, all } = await repository();
  const cover = "---\ncover: .gitbook/assets/one.svg\n---\n\n# A\n\n[file](files/a.txt)\n";
  expect(await changed(server, spaceId, { "a.md": cover })).toBe(1);
  const [page] = (await admin.content.pages({ spaceId })).pages;
  expect(page).toMatchObject({ cover: { ref: { kind: "file" } } });
  expect(
    await changed(server, spaceId, { "guide/b.md": "# B\n\n[a](../files/a.txt) [no](nowhere/)\n" }),
  ).toBe(1);
  expect(await changed(server, spaceId, { "guide/b.md": "# B\n\n[b](../files/b.txt)\n" })).toBe(all! + 1);
  const names = async () => (await admin.content.files({ spaceId })).items.map(({ name }) => name).sort();
  expect(await names()).toEqual(["a.txt", "b.txt", "one.svg"]);
  expect(await changed(server, spaceId, { "guide/b.md": "# B\n" })).toBe(all);
  expect(await names()).toEqual(["a.txt", "one.svg"]);
});

test("titles, navigation, settings and variables, files that come and go, and reported problems take an import of all", async () => {
  const { server, spaceId, all } = await repository();
  expect(await changed(server, spaceId, { "guide/b.md": "# Another title\n" })).toBe(all);
  expect(await changed(server, spaceId, { "guide/b.md": "---\nslug: bee\n---\n\n# B\n" })).toBe(all);
  expect(await textAt(spaceId, "bee")).toContain("# B");
  // One with a problem is reported by each import, until it has none.
  expect(await changed(server, spaceId, { "c.md": "---\nhidden: perhaps\n---\n\n# C\n" })).toBe(all);
  expect(await changed(server, spaceId, { "c.md": "# C\n" })).toBe(all);
  expect(await changed(server, spaceId, { "c.md": "# C\n\nMore.\n" })).toBe(1);
  expect(await changed(server, spaceId, { ".gitbook/vars.yaml": "name: Quarto\n" })).toBe(all);
  expect((await admin.content.pages({ spaceId })).pages).toHaveLength(4);
  const summary = source["SUMMARY.md"].replace("* [C](c.md)\n", "");
  expect(await changed(server, spaceId, { "SUMMARY.md": summary })).toBe(all! - 1);
  const added = { "SUMMARY.md": `${summary}* [New](new.md)\n`, "new.md": "# New\n" };
  expect(await changed(server, spaceId, added)).toBe(all);
  const before = await admin.content.pageAtPath({ spaceId, pagePath: "new" });
  execFileSync("git", ["mv", "new.md", "newer.md"], { cwd: server.folder });
  await changed(server, spaceId, { "SUMMARY.md": `${summary}* [New](newer.md)\n` });
  expect((await admin.content.pageAtPath({ spaceId, pagePath: "newer" })).id).toBe(before.id);
  await rm(join(server.folder, "newer.md"));
  await changed(server, spaceId, { "SUMMARY.md": summary });
  const moved = { ".gitbook.yaml": "root: docs\n", "docs/README.md": "# Moved\n", "docs/b.md": "# B\n" };
  expect(await changed(server, spaceId, moved)).toBe(2);
  expect((await admin.content.pages({ spaceId })).pages.map(({ title }) => title)).toEqual(["Moved", "B"]);
  // Below another root, and without a table of contents.
  expect(await changed(server, spaceId, { "docs/b.md": "# B\n\nMore.\n", "a.md": "# No part of it\n" })).toBe(
    1,
  );
  expect(await changed(server, spaceId, { ".gitbook.yaml": "root: ./docs/\n" })).toBe(2);
});

test("a project directory is compared by itself", async () => {
  const server = await repositoryOf({
    "README.md": "# No\n",
    "docs/README.md": "# Yes\n",
    "docs/b.md": "# B\n",
  });
  const spaceId = await t.space();
  const request = { repoProjectDirectory: "docs" };
  await run(spaceId, server.url, request);
  await rm(join(server.folder, "README.md"));
  expect(await changed(server, spaceId, { "docs/b.md": "# B\n\nMore.\n" }, request)).toBe(1);
  expect(await textAt(spaceId, "b")).toBe("# B\n\nMore.\n");
});

test("after the space was changed, before, meanwhile or by an export, all files are imported", async () => {
  const { server, spaceId, all } = await repository({
    "README.md": "# Home\n",
    "b.md": "# B\n",
    "c.md": "# C\n",
  });
  const edit = async (markdown: string) => {
    const { id: page } = await admin.content.pageAtPath({ spaceId, pagePath: "b" });
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const changes = [{ operation: "update_page" as const, page, document: { markdown } }];
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
    await admin.changeRequests.merge({ spaceId, changeRequestId });
  };
  await edit("# B\n\nOurs.\n");
  expect(await changed(server, spaceId, { "c.md": "# C\n\nMore.\n" })).toBe(all);
  expect(await textAt(spaceId, "b")).toBe("# B\n");
  await write(server.folder, { "c.md": "# C\n\nStill more.\n" });
  await server.commit("Change");
  const { work } = t.ctx;
  let isEdited = false;
  const meddled: typeof work = {
    run: (task, input) => {
      if (task !== "readImported" || isEdited) return work.run(task, input);
      isEdited = true;
      return edit("# B\n\nMeanwhile.\n").then(() => work.run(task, input));
    },
    done: 0,
    close: work.close,
  };
  expect(await run(spaceId, server.url, {}, { ...t.ctx, work: meddled })).toMatchObject({
    state: "success",
    dispatchedTasks: all,
  });
  expect([isEdited, await textAt(spaceId, "b"), await textAt(spaceId, "c")]).toEqual([
    true,
    "# B\n",
    "# C\n\nStill more.\n",
  ]);
  await edit("# B\n\nExported.\n");
  expect(await send(spaceId, server.url)).toMatchObject({ state: "success" });
  expect(await changed(server, spaceId, { "c.md": "# C\n\nMore again.\n" })).toBe(all);
  expect(await textAt(spaceId, "b")).toBe("# B\n\nExported.\n");
  expect(await changed(server, spaceId, { "c.md": "# C\n" })).toBe(1);
});

test("a branch that was set back, another branch, and a clone that is lost are imported as they are", async () => {
  const { server, spaceId, all } = await repository();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: server.folder }).toString().trim();
  expect(await changed(server, spaceId, { "guide/b.md": "# B\n\nOne.\n" })).toBe(1);
  git("reset", "--quiet", "--hard", "HEAD~1");
  expect(await imported(server, spaceId)).toBe(1);
  expect(await textAt(spaceId, "b")).toBe(source["guide/b.md"]);
  git("switch", "--quiet", "--create", "other");
  expect(await changed(server, spaceId, { "guide/b.md": "# B\n\nTwo.\n" }, { ref: "refs/heads/other" })).toBe(
    1,
  );
  expect(await textAt(spaceId, "b")).toBe("# B\n\nTwo.\n");
  await rm(join(t.ctx.workFolder, "kept"), { recursive: true });
  expect(await changed(server, spaceId, { "guide/b.md": "# B\n" }, { ref: "refs/heads/other" })).toBe(all);
});

test("a standalone import of a commit that changes contents alone leaves the primary content as it is", async () => {
  const { server, spaceId } = await repository();
  await write(server.folder, { "guide/b.md": "# B\n\nAside.\n" });
  await server.commit("Change");
  const held = await heldBy(spaceId);
  expect(await run(spaceId, server.url, { standalone: true })).toMatchObject({ state: "success" });
  expect(await heldBy(spaceId)).toEqual(held);
  expect(await imported(server, spaceId)).toBe(1);
});

test("an import of changed files that is stopped before its end changes nothing, and works the next time", async () => {
  const { server, spaceId } = await repository();
  await write(server.folder, { "guide/b.md": "# B\n\nChanged.\n" });
  await server.commit("Change");
  const held = await heldBy(spaceId);
  const { work } = t.ctx;
  const failing: typeof work = {
    run: () => Promise.reject(new Error("The thread ended")),
    done: 0,
    close: work.close,
  };
  await run(spaceId, server.url, {}, { ...t.ctx, work: failing }).catch(() => undefined);
  expect(await heldBy(spaceId)).toEqual(held);
  expect(await imported(server, spaceId)).toBe(1);
});
