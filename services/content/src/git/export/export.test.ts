import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { filesIn, gitTest, write } from "../testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, emptyRepository, run, send, edit, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

/** A repository with something of everything, written in a hand of its own. */
const sample = {
  ".gitbook.yaml": "root: ./docs/\n\nredirects:\n  old: guide/one.md\n",
  LICENSE: "Free.\n",
  "docs/SUMMARY.md": `# Contents

- [Home](README.md)
- [Guide](./guide/README.md "The guide")
    - [One](guide/one.md)
    - [Two, *twice*](guide/two.md)
- [Out](https://example.com/a_(b))

## More \`things\` <a href="#more" id="more"></a>

- [Home again](README.md)
- [Part](./guide/one.md#part)
- Words alone
- [Ünï cödé](<with space/ünï (1).md>)

<!-- kept -->
`,
  "docs/README.md":
    '---\ndescription: >-\n  Folded\n  text\nicon: rocket\n---\n\n# Home\n\n![](img/a.png) and {% include ".gitbook/includes/note.md" %}\n',
  "docs/guide/README.md": "# Guide\r\n\r\nWindows ends of lines.\r\n",
  "docs/guide/one.md": "\ufeff# One\n\nWith a BOM, [two](two.md).\n\n## Part\n",
  "docs/guide/two.md": "Two\n===\n\nNo newline at the end",
  "docs/with space/ünï (1).md": "# Ünï\n",
  "docs/unlisted.md": "# Nobody lists this\n",
  "docs/img/a.png": "not really a png",
  "docs/.gitbook/assets/b (1).txt": "kept",
  "docs/.gitbook/includes/note.md": "---\ntitle: Note\n---\n\nText.\n",
  "docs/.gitbook/vars.yaml": "# comment\nproduct: Octavo\n2bad: x\n",
};
/** What an export leaves out, as the space has none of it. */
const withoutForeign = ({ LICENSE: _, "docs/unlisted.md": __, ...files }: Record<string, string>) => files;

async function treeOf(spaceId: string) {
  const { pages, files, variables, reusableContents } = await admin.content.revision({ spaceId });
  const shown = (page: object): unknown =>
    Object.fromEntries(
      Object.entries(page).flatMap(([key, value]) =>
        ["id", "createdAt", "updatedAt", "urls", "documentId", "href"].includes(key)
          ? []
          : [[key, key === "pages" ? value.map(shown) : value]],
      ),
    );
  return JSON.parse(
    JSON.stringify({
      pages: pages.map(shown),
      files: files
        .map(({ name, git, size }) => ({ name, git, size }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      variables,
      reusable: reusableContents.map(({ title, git }) => ({ title, git })),
    }).replaceAll(/"(page|file)":"[A-Za-z0-9]{10,}"/g, '"$1":"id"'),
  ) as unknown;
}

const idAt = async (spaceId: string, pagePath: string) =>
  (await admin.content.pageAtPath({ spaceId, pagePath })).id;

const log = async (folder: string) =>
  (await promisify(execFile)("git", ["log", "--format=%s", "main"], { cwd: folder })).stdout
    .trim()
    .split("\n");

test("what was imported is exported to an empty repository byte for byte, and imported again it is the same", async () => {
  const source = await repositoryOf(sample);
  const spaceId = await t.space();
  expect(await run(spaceId, source.url)).toMatchObject({ state: "success" });
  const target = await emptyRepository();
  const operation = await send(spaceId, target.url);
  expect(operation).toMatchObject({ state: "success", direction: "export", stage: "finalize" });
  expect(await filesIn(target.folder)).toEqual(withoutForeign(sample));
  expect(await log(target.folder)).toEqual(["Export"]);
  const other = await t.space();
  expect(await run(other, target.url)).toMatchObject({ state: "success" });
  expect(await treeOf(other)).toEqual(await treeOf(spaceId));
});

test("an export of what the branch has makes no commit, and importing one's own export changes nothing", async () => {
  const source = await repositoryOf(sample);
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const before = await admin.content.revision({ spaceId });
  expect(await send(spaceId, source.url)).toMatchObject({ state: "success" });
  expect(await filesIn(source.folder)).toEqual(sample);
  expect(await log(source.folder)).toEqual(["First"]);
  expect(await run(spaceId, source.url)).toMatchObject({ state: "success" });
  expect(await admin.content.revision({ spaceId })).toEqual(before);
});

test("after one page was edited only its file differs, and the import of that changes no entry", async () => {
  const source = await repositoryOf(sample);
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const page = await idAt(spaceId, "guide/two");
  const markdown = "# Two, *twice*\n\nEdited.\n";
  await edit(spaceId, [{ operation: "update_page", page, document: { markdown } }]);
  expect(await send(spaceId, source.url, { commitMessage: "One page" })).toMatchObject({ state: "success" });
  expect(await log(source.folder)).toEqual(["One page", "First"]);
  const files = await filesIn(source.folder);
  expect(files["docs/guide/two.md"]).toContain("Edited.");
  expect({ ...files, "docs/guide/two.md": "" }).toEqual({ ...sample, "docs/guide/two.md": "" });
  const revision = await admin.content.revision({ spaceId });
  expect(revision.git).toMatchObject({ createdByService: true, message: "One page" });
  await run(spaceId, source.url, { force: true });
  const { rows } = await changedIn(spaceId);
  expect(rows).toEqual([]);
});

const changedIn = async (spaceId: string) => ({
  rows: await t.db
    .selectFrom("entry")
    .innerJoin("branch", "branch.id", "entry.branch")
    .select(["title", "kind"])
    .where("branch", "=", spaceId)
    .whereRef("entry.from_seq", "=", "branch.seq")
    .execute(),
});

test("pages that are new, renamed, moved and removed are files where links lead, and come back as the same pages", async () => {
  const source = await repositoryOf(sample);
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const [one, guide, two] = [
    await idAt(spaceId, "guide/one"),
    await idAt(spaceId, "guide"),
    await idAt(spaceId, "guide/two"),
  ];
  await edit(spaceId, [
    { operation: "insert_page", title: "Fresh [page]", into: guide, document: { markdown: "New.\n" } },
    { operation: "delete_page", page: two },
    { operation: "update_page", page: one, title: "First", slug: "first" },
  ]);
  expect(await send(spaceId, source.url)).toMatchObject({ state: "success" });
  const files = await filesIn(source.folder);
  expect(files["docs/guide/two.md"]).toBeUndefined();
  expect(files["docs/guide/fresh-page.md"]).toContain("New.");
  expect(files["docs/guide/one.md"]).toContain("# First");
  expect(files["docs/SUMMARY.md"]).toContain("Fresh \\[page\\]");
  expect(files["docs/SUMMARY.md"]).toContain('[Guide](guide/README.md "The guide")');
  expect(files.LICENSE).toBe("Free.\n");
  const before = await treeOf(spaceId);
  expect(await idAt(spaceId, "guide/first")).toBe(one);
  await run(spaceId, source.url, { force: true });
  expect(await changedIn(spaceId)).toEqual({ rows: [] });
  expect(await treeOf(spaceId)).toEqual(before);
});

test("a space that was never in git begins a branch, with a landing page and a table of contents", async () => {
  const spaceId = await t.space();
  await edit(spaceId, [
    { operation: "insert_page", title: "Welcome", document: { markdown: "Hello.\n" } },
    { operation: "insert_page", title: "Other", document: { markdown: "There.\n" } },
  ]);
  const target = await emptyRepository();
  expect(await send(spaceId, target.url)).toMatchObject({ state: "success" });
  const files = await filesIn(target.folder);
  expect(Object.keys(files).sort()).toEqual(["README.md", "SUMMARY.md", "other.md"]);
  expect(files["SUMMARY.md"]).toBe("# Table of contents\n\n* [Welcome](README.md)\n* [Other](other.md)\n");
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages.map((page) => (page as { git?: { path: string } }).git?.path)).toEqual([
    "README.md",
    "other.md",
  ]);
  await run(spaceId, target.url, { force: true });
  expect(await changedIn(spaceId)).toEqual({ rows: [] });
  expect((await admin.spaces.get({ spaceId })).gitSync).toMatchObject({ repoName: "repository" });
});

test("a file that was added to a space and is a page's cover goes out with it, and comes back as its cover", async () => {
  const spaceId = await t.space();
  const cover = "---\ncover: .gitbook/assets/day%20one.png\n---\n\n# Covered\n";
  await edit(spaceId, [
    {
      operation: "insert_files",
      files: [{ name: "day one.png", base64: Buffer.from("png").toString("base64") }],
    },
    { operation: "insert_page", document: { markdown: cover } },
  ]);
  const target = await emptyRepository();
  expect(await send(spaceId, target.url)).toMatchObject({ state: "success" });
  expect(await filesIn(target.folder)).toMatchObject({
    ".gitbook/assets/day one.png": "png",
    "README.md": cover,
  });
  const other = await t.space();
  expect(await run(other, target.url)).toMatchObject({ state: "success" });
  for (const space of [spaceId, other]) {
    const { pages, files } = await admin.content.revision({ spaceId: space });
    expect(pages).toMatchObject([{ title: "Covered", cover: { ref: { kind: "file", file: files[0]!.id } } }]);
  }
});

test("a reusable content that was added to a space lies where pages include it, and comes back as the same", async () => {
  const spaceId = await t.space();
  await edit(spaceId, [
    { operation: "insert_reusable_content", title: "A: note", document: { markdown: "Text.\n" } },
    {
      operation: "insert_page",
      document: { markdown: '# Home\n\n{% include ".gitbook/includes/a-note.md" %}\n' },
    },
  ]);
  const target = await emptyRepository();
  expect(await send(spaceId, target.url)).toMatchObject({ state: "success" });
  const path = ".gitbook/includes/a-note.md";
  expect((await filesIn(target.folder))[path]).toBe('---\ntitle: "A: note"\n---\n\nText.\n');
  const { reusableContents } = await admin.content.revision({ spaceId });
  expect(reusableContents).toMatchObject([{ title: "A: note", git: { path } }]);
  await run(spaceId, target.url, { force: true });
  expect(await changedIn(spaceId)).toEqual({ rows: [] });
  const update = { operation: "update_reusable_content" as const, reusableContent: reusableContents[0]!.id };
  await edit(spaceId, [{ ...update, title: "Another", document: { markdown: "More.\n" } }]);
  expect(await send(spaceId, target.url)).toMatchObject({ state: "success" });
  expect((await filesIn(target.folder))[path]).toBe('---\ntitle: "Another"\n---\n\nMore.\n');
});

test("a branch with commits that the space has not seen is a conflict, and stays as it is", async () => {
  const source = await repositoryOf(sample);
  const spaceId = await t.space();
  await run(spaceId, source.url);
  await write(source.folder, { "docs/guide/two.md": "# Theirs\n" });
  await source.commit("Theirs");
  const operation = await send(spaceId, source.url);
  expect(operation).toMatchObject({
    state: "failure",
    reason: "conflict",
    error: expect.stringMatching(/import/),
  });
  expect(await log(source.folder)).toEqual(["Theirs", "First"]);
  // With force the space comes on top; what was there stays in the history.
  expect(await send(spaceId, source.url, { force: true })).toMatchObject({ state: "success" });
  expect(await log(source.folder)).toEqual(["Export", "Theirs", "First"]);
  expect(await filesIn(source.folder)).toEqual(sample);
});

test("an export into a folder of a repository leaves everything else alone", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const target = await repositoryOf({ "README.md": "# Code\n", "code.js": "1\n" });
  const directory = { repoProjectDirectory: "docs" };
  expect(await send(spaceId, target.url, directory)).toMatchObject({ reason: "conflict" });
  expect(await send(spaceId, target.url, { ...directory, force: true })).toMatchObject({ state: "success" });
  const files = await filesIn(target.folder);
  expect(files).toMatchObject({ "README.md": "# Code\n", "code.js": "1\n", "docs/README.md": "# Home\n" });
});

test("an operation that is older than the last one is refused, and credentials are nowhere to be seen", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await run(spaceId, source.url, { timestamp: "2026-02-02T00:00:00.000Z" });
  const input = { spaceId, url: source.url, ref: "refs/heads/main", commitMessage: "Late" };
  const late = admin.git.exportRepository({ ...input, timestamp: "2026-01-01T00:00:00.000Z" });
  await expect(late).rejects.toMatchObject({ code: "CONFLICT" });
  const operation = await send(spaceId, "http://someone:hunter2@127.0.0.1:1/x.git");
  expect(operation).toMatchObject({ state: "failure", reason: "unreachable" });
  expect(JSON.stringify(await admin.git.info({ spaceId }))).not.toContain("hunter2");
});

test("a try that died behind its push is taken for what it was, and the next one goes on from there", async () => {
  const source = await repositoryOf(sample);
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const page = await idAt(spaceId, "guide/two");
  await edit(spaceId, [{ operation: "update_page", page, document: { markdown: "# Two\n\nOnce.\n" } }]);
  await send(spaceId, source.url);
  // As if nothing had been noted of it but what was to be pushed.
  const sent = t.db.selectFrom("git_operation").selectAll().where("space", "=", spaceId);
  const git = await sent.where("pushed", "is not", null).executeTakeFirstOrThrow();
  expect(git.pushed).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
  await t.db.updateTable("git_operation").set({ state: "failure" }).where("id", "=", git.id).execute();
  await t.db
    .updateTable("git_state")
    .set({ commit: "0".repeat(40), seq: 1 })
    .where("space", "=", spaceId)
    .execute();
  await t.db.updateTable("space").set({ git: null }).where("id", "=", spaceId).execute();
  await edit(spaceId, [{ operation: "update_page", page, document: { markdown: "# Two\n\nTwice.\n" } }]);
  expect(await send(spaceId, source.url)).toMatchObject({ state: "success" });
  expect((await filesIn(source.folder))["docs/guide/two.md"]).toContain("Twice.");
  expect(await log(source.folder)).toEqual(["Export", "Export", "First"]);
});

test("DELETE git/legacy-installation ends the sync and keeps the content", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const reviewer = t.as({ acme: "review" }, { id: "reviewer" });
  await expect(reviewer.git.removeLegacyInstallation({ spaceId })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await admin.git.removeLegacyInstallation({ spaceId });
  await expect(admin.git.info({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await admin.spaces.get({ spaceId })).gitSync).toBeUndefined();
  expect((await admin.content.pages({ spaceId })).pages).toHaveLength(1);
});

test("no table of contents is written where the folders imply the same order", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n", "a/README.md": "# A\n", "a/b.md": "# B\n" });
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const page = await idAt(spaceId, "a/b");
  await edit(spaceId, [{ operation: "update_page", page, document: { markdown: "# B\n\nMore.\n" } }]);
  await send(spaceId, source.url);
  expect(Object.keys(await filesIn(source.folder)).sort()).toEqual(["README.md", "a/README.md", "a/b.md"]);
  await rm(join(source.folder, "a/b.md"));
  await source.commit("Without");
  expect(await run(spaceId, source.url)).toMatchObject({ state: "success" });
});
