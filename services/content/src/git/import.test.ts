import { execFile } from "node:child_process";
import { mkdir, open, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { ImportGit, type ImportRequest } from "./schema.js";
import { gitTest, write } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const { repositoryOf, serving, run, close } = gitTest(t);
afterAll(async () => {
  await close();
  await t.drop();
});

const small = {
  "SUMMARY.md":
    "# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [One](guide/one.md)\n",
  "README.md": "# Home\n\nHello.\n",
  "guide/README.md": "---\ndescription: All of it\n---\n\n# Guide\n\nRead on.\n",
  "guide/one.md": "# One\n\nFirst.",
};

test("an import makes the pages of SUMMARY.md in order, with their texts byte for byte", async () => {
  const server = await repositoryOf(small);
  const spaceId = await t.space();
  expect(await run(spaceId, server.url)).toMatchObject({ state: "success", stage: "finalize" });
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([
    { title: "Home", path: "readme" },
    { title: "Guide", path: "guide", description: "All of it", pages: [{ title: "One", path: "guide/one" }] },
  ]);
  for (const [path, file] of [
    ["readme", "README.md"],
    ["guide", "guide/README.md"],
    ["guide/one", "guide/one.md"],
  ] as const) {
    const page = await admin.content.pageAtPath({ spaceId, pagePath: path });
    expect((page as { markdown: string }).markdown).toBe(small[file]);
  }
  expect((await admin.content.revision({ spaceId })).git).toMatchObject({
    createdByService: false,
    message: "First",
  });
  expect((await admin.spaces.get({ spaceId })).gitSync).toMatchObject({ repoName: "repository" });
});

test("a second import keeps ids, touches only what changed, and removes what is gone", async () => {
  const server = await repositoryOf(small);
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const before = (await admin.content.pages({ spaceId })).pages;
  await write(server.folder, {
    "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [The guide](guide/README.md)\n",
    "README.md": "# Home\n\nHello again.\n",
  });
  await server.commit("Second");
  await run(spaceId, server.url);
  const after = (await admin.content.pages({ spaceId })).pages;
  expect(after.map(({ id, title }) => [id, title])).toEqual([
    [before[0]!.id, "Home"],
    [before[1]!.id, "The guide"],
  ]);
  const written = await t.db
    .selectFrom("entry")
    .select("id")
    .where("branch", "=", spaceId)
    .where("from_seq", "=", 3)
    .execute();
  expect(written.map(({ id }) => id).sort()).toEqual([before[0]!.id, before[1]!.id].sort());
});

test("a page that comes between others, or goes elsewhere, is the only one that is written", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
  const contents = (files: string[]) =>
    `# Table of contents\n\n${files.map((name) => `* [${name}](${name}.md)\n`).join("")}`;
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`]));
  const server = await repositoryOf({ "SUMMARY.md": contents(names), ...files });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const [last, ...others] = [...names].reverse();
  const wanted = [last!, ...others.reverse()];
  wanted.splice(20, 0, "new");
  await write(server.folder, { "SUMMARY.md": contents(wanted), "new.md": "# new\n" });
  await server.commit("Second");
  await run(spaceId, server.url);
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages.map(({ title }) => title)).toEqual(wanted);
  const written = await t.db
    .selectFrom("entry")
    .select("title")
    .where("branch", "=", spaceId)
    .where("from_seq", "=", 3)
    .execute();
  expect(written.map(({ title }) => title).sort()).toEqual([last, "new"].sort());
});

test("a second import rewrites no file that did not change", async () => {
  const server = await repositoryOf({
    "README.md": "# Home\n",
    ".gitbook/assets/a.txt": "a",
    ".gitbook/assets/b.txt": "b",
  });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  await write(server.folder, { ".gitbook/assets/b.txt": "changed" });
  await server.commit("Second");
  await run(spaceId, server.url);
  const written = await t.db
    .selectFrom("entry")
    .select("title")
    .where("branch", "=", spaceId)
    .where("from_seq", "=", 3)
    .execute();
  expect(written).toEqual([{ title: "b.txt" }]);
});

test("the same commit again makes no revision, unless it is forced", async () => {
  const server = await repositoryOf(small);
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const { id } = await admin.content.revision({ spaceId });
  expect(await run(spaceId, server.url)).toMatchObject({ state: "success" });
  expect((await admin.content.revision({ spaceId })).id).toBe(id);
  await run(spaceId, server.url, { force: true });
  expect((await admin.content.revision({ spaceId })).id).not.toBe(id);
});

test("a standalone import makes a revision beside the primary content", async () => {
  const server = await repositoryOf(small);
  const spaceId = await t.space();
  const { revision } = await run(spaceId, server.url, { standalone: true });
  expect((await admin.content.pages({ spaceId })).pages).toEqual([]);
  expect((await admin.revisionContent.pages({ spaceId, revisionId: revision! })).pages).toHaveLength(2);
});

test("assets become files once, settings move the root, and includes and variables come along", async () => {
  const server = await repositoryOf({
    ".gitbook.yaml": "root: ./docs/\n",
    "docs/README.md": "# Home\n\n![](img/a.png)\n",
    "docs/img/a.png": "not really a png",
    "docs/img/unused.png": "nobody points here",
    "docs/.gitbook/assets/b.txt": "kept",
    "docs/.gitbook/includes/note.md": "---\ntitle: Note\n---\n\nText.\n",
    "docs/.gitbook/vars.yaml": "product: Octavo\n",
    "code.js": "alert(1)",
  });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const revision = await admin.content.revision({ spaceId });
  expect(revision.files.map(({ git }) => git!.path).sort()).toEqual([".gitbook/assets/b.txt", "img/a.png"]);
  expect(revision).toMatchObject({ variables: { product: "Octavo" }, reusableContents: [{ title: "Note" }] });
});

test("reusable contents and variables keep their ids, change and go with their files", async () => {
  const note = ".gitbook/includes/note.md";
  const vars = { ".gitbook/vars.yaml": `a: 1\nb: "${"x".repeat(257)}"\n2c: d\ne: true\n` };
  const server = await repositoryOf({ "README.md": "# Home\n", [note]: "One.\n", ...vars });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const before = await admin.content.revision({ spaceId });
  expect(before.variables).toEqual({ a: 1, e: true });
  await write(server.folder, { [note]: "---\ntitle: Named\n---\n\nTwo.\n" });
  await server.commit("Second");
  await run(spaceId, server.url);
  const { reusableContents } = await admin.content.revision({ spaceId });
  expect(reusableContents).toMatchObject([{ id: before.reusableContents[0]!.id, title: "Named" }]);
  expect(reusableContents[0]!.document).not.toBe(before.reusableContents[0]!.document);
  await rm(join(server.folder, ".gitbook"), { recursive: true });
  await server.commit("Third");
  await run(spaceId, server.url);
  expect(await admin.content.revision({ spaceId })).toMatchObject({
    reusableContents: [],
    variables: undefined,
  });
});

test("files are called by names that are safe wherever they are saved", async () => {
  const names = ["a\\b.txt", "c\r\nd.txt", "e\u2028.txt", "plain name.txt"];
  const files = Object.fromEntries(names.map((name) => [`.gitbook/assets/${name}`, "x"]));
  const { url } = await repositoryOf({ "README.md": "# Home\n", ...files });
  const spaceId = await t.space();
  expect(await run(spaceId, url)).toMatchObject({ state: "success" });
  const { items } = await admin.content.files({ spaceId });
  expect(items.map(({ name }) => name).sort()).toEqual(["a_b.txt", "c__d.txt", "e_.txt", "plain name.txt"]);
});

test("symbolic links are not followed", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  await symlink("/etc/passwd", join(server.folder, "secrets.md"));
  await server.commit("A link out");
  const spaceId = await t.space();
  await run(spaceId, server.url);
  expect((await admin.content.pages({ spaceId })).pages).toHaveLength(1);
});

test("what cannot be imported fails with a clear reason and leaves the space as it was", async () => {
  const server = await repositoryOf(small);
  const broken = await repositoryOf({
    "README.md": "# Home\n",
    "SUMMARY.md": "# Contents\n\n* [Out](../../etc/passwd.md)\n",
  });
  const binary = await repositoryOf({ "README.md": "# Home\n\0" });
  const here = await serving((_, res) => void res.end("hello"));
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const before = await admin.content.revision({ spaceId });
  const cases: [string, Partial<ImportRequest>, RegExp][] = [
    [server.url, { ref: "refs/heads/nothing" }, /no such ref/],
    [server.url, { repoProjectDirectory: "nothing" }, /project directory is not in the repository/i],
    [server.url.replace("repository", "other"), {}, /no git repository/],
    [here, {}, /^There is no git repository at this address/],
    ["http://10.1.2.3/x.git", {}, /not allowed/],
    [broken.url, {}, /SUMMARY\.md: line 3/],
    [binary.url, {}, /README\.md is not text/],
  ];
  for (const [url, request, reason] of cases) {
    const operation = await run(spaceId, url, request);
    expect(operation.state, url).toBe("failure");
    expect(operation.error).toMatch(reason);
  }
  expect(await admin.content.revision({ spaceId })).toEqual(before);
});

test("credentials of an address are sealed, and neither info nor errors show them", async () => {
  const spaceId = await t.space();
  const operation = await run(spaceId, "http://someone:hunter2@127.0.0.1:1/x.git");
  expect(operation).toMatchObject({ state: "failure", error: expect.not.stringContaining("hunter2") });
  const rows = await t.db
    .selectFrom("git_operation")
    .select("request")
    .where("space", "=", spaceId)
    .execute();
  expect(JSON.stringify(rows)).not.toContain("hunter2");
});

test("POST git/import needs the role create, and refuses another protocol and a bare branch name", async () => {
  const spaceId = await t.space();
  const input = { spaceId, url: "https://example.com/x.git", ref: "refs/heads/main" };
  const reviewer = t.as({ acme: "review" }, { id: "reviewer" });
  await expect(reviewer.git.importRepository(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(t.as({ beta: "admin" }).git.importRepository(input)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  for (const bad of [
    { url: "file:///etc" },
    { url: "ssh://git@host/x" },
    { ref: "main" },
    { ref: "refs/heads/.." },
    { ref: "refs/heads/a.lock" },
    { repoProjectDirectory: "../up" },
  ]) {
    await expect(admin.git.importRepository({ ...input, ...bad })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  }
  await expect(admin.git.info({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an import of pages that nest deeper than 32 levels fails and names the page", async () => {
  const list = Array.from({ length: 33 }, (_, level) => `${"  ".repeat(level)}* [L${level}](README.md)\n`);
  const files = { "README.md": "# Home\n", "SUMMARY.md": `# Table of contents\n\n${list.join("")}` };
  const { url } = await repositoryOf(files);
  const operation = await run(await t.space(), url);
  expect(operation).toMatchObject({
    state: "failure",
    error: "Pages nest at most 32 deep, and L32 would be deeper",
  });
});

test("an import of a page with more lines than are read fails and names the page", async () => {
  const { url } = await repositoryOf({ "README.md": "# Home\n", "long.md": "a\n".repeat(100_001) });
  const operation = await run(await t.space(), url);
  expect(operation).toMatchObject({ state: "failure", error: "long.md has more than 100000 lines" });
});

test("an import of a file that exceeds the bound of files fails and names it, instead of leaving it out", async () => {
  const server = await repositoryOf(small);
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const before = await admin.content.revision({ spaceId });
  await mkdir(join(server.folder, ".gitbook/assets"), { recursive: true });
  const film = await open(join(server.folder, ".gitbook/assets/film.bin"), "w");
  await film.truncate(100 * 1024 * 1024 + 1);
  await film.close();
  await server.commit("Film");
  const operation = await run(spaceId, server.url);
  expect(operation).toMatchObject({
    state: "failure",
    error: "Files of more than 100 MB: .gitbook/assets/film.bin",
  });
  expect(await admin.content.revision({ spaceId })).toEqual(before);
});

test("an import of a tag that leads to no commit fails with that reason", async () => {
  const { url, folder } = await repositoryOf(small);
  const spaceId = await t.space();
  for (const object of ["HEAD:README.md", "HEAD^{tree}"]) {
    await promisify(execFile)("git", ["tag", "--force", "odd", object], { cwd: folder });
    const operation = await run(spaceId, url, { ref: "refs/tags/odd" });
    expect(operation, object).toMatchObject({ state: "failure", error: "The ref leads to no commit" });
  }
});

test("a project directory is the same however it is written", async () => {
  const { url } = await repositoryOf({ "README.md": "# Root\n", "docs/README.md": "# Docs\n" });
  const titles = { ".": ["Root", "Docs"], "./": ["Root", "Docs"], "./docs": ["Docs"], "docs//": ["Docs"] };
  for (const [repoProjectDirectory, expected] of Object.entries(titles)) {
    const spaceId = await t.space();
    const request = ImportGit.parse({ spaceId, url, ref: "refs/heads/main", repoProjectDirectory });
    expect(await run(spaceId, url, request), repoProjectDirectory).toMatchObject({ state: "success" });
    const { pages } = await admin.content.pages({ spaceId });
    expect(pages.map(({ title }) => title)).toEqual(expected);
  }
});

test("titles and texts that the interface would refuse come in clean, the files stay byte for byte", async () => {
  const page = `---\ntitle: "a\\0\\x07${"b".repeat(600)}"\ndescription: "\\0\\ud800"\n---\n\ntext\n`;
  const { url } = await repositoryOf({ "a.md": page, "README.md": `# ${"long ".repeat(200)}\n` });
  const spaceId = await t.space();
  expect(await run(spaceId, url)).toMatchObject({ state: "success" });
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages.map(({ title }) => title.length <= 500 && /^\P{Cc}+$/u.test(title))).toEqual([true, true]);
  const [, second] = pages;
  expect(await admin.content.page({ spaceId, pageId: second!.id })).toMatchObject({ markdown: page });
});
