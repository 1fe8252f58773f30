import { execFileSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import type { GitServer } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { gitTest, write } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const { repositoryOf, run, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const HEAD = "# Table of contents\n\n";

async function move(server: GitServer, from: string, to: string) {
  await mkdir(dirname(join(server.folder, to)), { recursive: true });
  execFileSync("git", ["mv", from, to], { cwd: server.folder });
}

/** The ids of what a space has from git, by their paths; of a file that is listed twice, the first. */
async function idsOf(space: string): Promise<Record<string, string>> {
  const rows = await t.db
    .selectFrom("entry")
    .select(["id", "git_path"])
    .where("branch", "=", space)
    .where("to_seq", "is", null)
    .where("removed", "=", false)
    .where("git_path", "is not", null)
    .execute();
  return Object.fromEntries(rows.map(({ id, git_path }) => [git_path!, id]));
}

const text = (title: string, lines = 20) =>
  `# ${title}\n\n${Array.from({ length: lines }, (_, at) => `${title} has a line ${at}.\n`).join("\n")}`;

test("a page that is renamed keeps its id and its backlinks, with another title and place, too", async () => {
  const server = await repositoryOf({
    "SUMMARY.md": `${HEAD}* [Home](README.md)\n* [Set up](setup.md)\n* [Use](use.md)\n`,
    "README.md": "# Home\n\nSee [how to set up](setup.md).\n",
    "setup.md": text("Set up"),
    "use.md": text("Use"),
  });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const before = await idsOf(spaceId);
  const pageId = before["setup.md"]!;
  await move(server, "setup.md", "start/install.md");
  await write(server.folder, {
    "SUMMARY.md": `${HEAD}* [Home](README.md)\n* [Use](use.md)\n  * [Install](start/install.md)\n`,
  });
  await server.commit("Rename");
  expect(await run(spaceId, server.url)).toMatchObject({ state: "success" });
  expect(await idsOf(spaceId)).toEqual({
    "README.md": before["README.md"],
    "use.md": before["use.md"],
    "start/install.md": pageId,
  });
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([
    { title: "Home" },
    { title: "Use", pages: [{ id: pageId, title: "Install", path: "use/install" }] },
  ]);
  const { items } = await admin.links.pageBacklinks({ spaceId, pageId });
  expect(items).toHaveLength(1);
});

test("files that move with their folder keep their ids: pages, texts to include and assets, equal ones by their names", async () => {
  const files = {
    "README.md": "# Home\n",
    "old/a.md": "# Same\n",
    "old/b.md": "# Same\n",
    "old/c.md": text("C"),
    "old/img/one.png": "an image",
    "old/img/two.png": "an image",
    "old/page.md": "# Images\n\n![](img/one.png) ![](img/two.png)\n",
    ".gitbook/includes/note.md": text("Note"),
  };
  const server = await repositoryOf(files);
  const space = await t.space();
  await run(space, server.url);
  const before = await idsOf(space);
  await move(server, "old", "new");
  await move(server, ".gitbook/includes/note.md", ".gitbook/includes/hint.md");
  await server.commit("Move");
  await run(space, server.url);
  const moved = (path: string) => path.replace(/^old\//, "new/").replace("note.md", "hint.md");
  expect(await idsOf(space)).toEqual(
    Object.fromEntries(Object.entries(before).map(([path, id]) => [moved(path), id])),
  );
});

test("a page that is renamed and rewritten in part keeps its id, and one that is another page does not", async () => {
  const server = await repositoryOf({
    "README.md": "# Home\n",
    "guide.md": text("Guide"),
    "facts.md": text("Facts"),
    'gone "for" good\\.md': text("Gone"),
  });
  const space = await t.space();
  await run(space, server.url);
  const before = await idsOf(space);
  await rm(join(server.folder, "guide.md"));
  await rm(join(server.folder, "facts.md"));
  await rm(join(server.folder, 'gone "for" good\\.md'));
  await write(server.folder, {
    "manual/handbook.md": `${text("Guide")}\nAnd something new.\n`,
    "manual/copy.md": `${text("Guide", 12)}\n${text("Something else", 8)}`,
    "numbers.md": "# Numbers\n\nOne, two, three.\n",
  });
  await server.commit("Rewrite");
  await run(space, server.url);
  const after = await idsOf(space);
  expect(after["manual/handbook.md"]).toBe(before["guide.md"]);
  const known = new Set(Object.values(before));
  expect(known.has(after["manual/copy.md"]!)).toBe(false);
  expect(known.has(after["numbers.md"]!)).toBe(false);
});

test("names that two pages exchange, and a page whose name is taken by another, stay with their paths", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n", "a.md": text("A"), "b.md": text("B") });
  const space = await t.space();
  await run(space, server.url);
  const before = await idsOf(space);
  await write(server.folder, { "a.md": text("B"), "b.md": text("A"), "c.md": text("A") });
  await server.commit("Exchange");
  await run(space, server.url);
  expect(await idsOf(space)).toMatchObject(before);
});

test("a file that stands in the table of contents twice is renamed in both places", async () => {
  const list = (file: string) => `${HEAD}* [Home](README.md)\n* [One](${file})\n* [Two](${file})\n`;
  const server = await repositoryOf({ "SUMMARY.md": list("a.md"), "README.md": "# H\n", "a.md": text("A") });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const before = (await admin.content.pages({ spaceId })).pages;
  await move(server, "a.md", "b.md");
  await write(server.folder, { "SUMMARY.md": list("b.md") });
  await server.commit("Rename");
  await run(spaceId, server.url);
  const after = (await admin.content.pages({ spaceId })).pages;
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test("of more files than are compared at a time, those with the same content are found all the same", async () => {
  const pages = Array.from({ length: 700 }, (_, at) => [`p${at}.md`, text(`Page ${at}`, 3)]);
  const server = await repositoryOf({ "README.md": "# Home\n", ...Object.fromEntries(pages) });
  const space = await t.space();
  await run(space, server.url);
  const before = await idsOf(space);
  await mkdir(join(server.folder, "all"));
  for (const [at, [path, content]] of pages.entries()) {
    await rm(join(server.folder, path!));
    // One in ten is rewritten, which is more to compare than a few.
    const rewritten = at % 10 === 0 ? content!.replace(/line 1/, "another line") : content!;
    await write(server.folder, { [`all/x${path}`]: rewritten });
  }
  await server.commit("Move all");
  await run(space, server.url);
  const after = await idsOf(space);
  const kept = pages.filter(([path]) => after[`all/x${path}`] === before[path!]);
  expect(kept.length).toBeGreaterThanOrEqual(630);
});
