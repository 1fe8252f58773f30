import { rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { grouped } from "../reading/search/grouped.js";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
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

/** The pages of a space as it is, by their titles. */
async function entriesOf(space: string) {
  const rows = await t.db
    .selectFrom("entry")
    .select(["title", "id", "parent", "position", "from_seq", "body", "props"])
    .where("branch", "=", space)
    .where("to_seq", "is", null)
    .orderBy("title")
    .orderBy("position")
    .execute();
  return grouped(rows, ({ title }) => title);
}

async function left(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ((select count(*) from import_file)
    + (select count(*) from import_entry))::int as count`.execute(t.db);
  return rows[0]!.count;
}

/** A repository of so many pages, in chapters of 100, and of assets. */
function repositoryWith(pages: number): Record<string, string> {
  const files: Record<string, string> = {};
  const lines = Array.from({ length: pages }, (_, at) => {
    const path = `page-${at}.md`;
    files[path] = `# Page ${at}\n`;
    if (at % 10 === 0) files[`.gitbook/assets/${at}.txt`] = `asset ${at}`;
    return `${at % 100 === 0 ? "" : "  "}* [Page ${at}](${path})\n`;
  });
  return { ...files, "SUMMARY.md": HEAD + lines.join("") };
}

test("an import, and another one after it, send and receive no more at once when there are more pages", async () => {
  const sizes: { asked: number; rows: number }[] = [];
  for (const pages of [600, 1_200]) {
    const server = await repositoryOf(repositoryWith(pages));
    const space = await t.space();
    for (const force of [false, true]) {
      const { ctx, most } = watched(t.ctx);
      expect(await run(space, server.url, { force }, ctx)).toMatchObject({ state: "success" });
      sizes.push({ asked: most.asked, rows: most.rows });
    }
    expect((await admin.content.pages({ spaceId: space })).pages).toHaveLength(pages / 100);
  }
  for (const { rows } of sizes) expect(rows).toBeLessThanOrEqual(500);
  const [first, again, twice, twiceAgain] = sizes.map(({ asked }) => asked);
  expect(twice).toBeLessThan(first! * 1.1);
  expect(twiceAgain).toBeLessThan(again! * 1.1);
});

test("groups, links and what lies below them keep their ids and places, equal ones too", async () => {
  const list = `* [Home](README.md)
* [Out](https://example.com)
  * [Below](below.md)
* [Out](https://example.com)
* [Part](below.md#part)

## Group

* [Home again](README.md)
`;
  const server = await repositoryOf({ "SUMMARY.md": HEAD + list, "README.md": "# H\n", "below.md": "# B\n" });
  const space = await t.space();
  expect(await run(space, server.url)).toMatchObject({ state: "success" });
  const before = await entriesOf(space);
  expect(before.get("Out")).toHaveLength(2);
  const [below] = before.get("Below")!;
  expect(below!.parent).toBe(before.get("Out")![0]!.id);
  expect(before.get("Part")![0]!.props.target).toEqual({ kind: "anchor", page: below!.id, anchor: "part" });
  await write(server.folder, { "below.md": "# B\n\nMore.\n" });
  await server.commit("Second");
  expect(await run(space, server.url)).toMatchObject({ state: "success" });
  const after = await entriesOf(space);
  for (const [title, entries] of before)
    expect(after.get(title)!.map(({ id, position }) => [id, position])).toEqual(
      entries.map(({ id, position }) => [id, position]),
    );
  expect([...after.values()].flat().filter(({ from_seq }) => from_seq === 3)).toMatchObject([
    { title: "Below" },
  ]);
});

test("a new order of siblings moves them, and nobody else", async () => {
  const files = { "a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n", "d.md": "# D\n" };
  const summary = (top: string[]) => `${HEAD}${top.join("\n")}\n\n## G\n\n* [C](c.md)\n* [D](d.md)\n`;
  const [a, b] = ["* [A](a.md)", "* [B](b.md)"];
  const server = await repositoryOf({ ...files, "SUMMARY.md": summary([a!, b!]) });
  const space = await t.space();
  await run(space, server.url);
  const before = await entriesOf(space);
  await write(server.folder, { "SUMMARY.md": summary([b!, a!]) });
  await server.commit("Second");
  await run(space, server.url);
  const { pages } = await admin.content.pages({ spaceId: space });
  expect(pages.map(({ title }) => title)).toEqual(["B", "A", "G"]);
  const after = await entriesOf(space);
  for (const title of ["C", "D"]) expect(after.get(title)).toEqual(before.get(title));
});

test("a page that is named in another Unicode form than its file has its text", async () => {
  const server = await repositoryOf({
    "SUMMARY.md": `${HEAD}* [Cafe](caf\u00e9.md)\n`,
    "cafe\u0301.md": "# Caf\u00e9\n\nOpen.\n",
  });
  const space = await t.space();
  await run(space, server.url);
  const { pages } = await admin.content.pages({ spaceId: space });
  expect(await admin.content.page({ spaceId: space, pageId: pages[0]!.id })).toMatchObject({
    markdown: "# Caf\u00e9\n\nOpen.\n",
  });
});

test("covers are the files of the repository", async () => {
  const server = await repositoryOf({
    "README.md": "---\ncover: .gitbook/assets/a.png\n---\n\n# Home\n",
    ".gitbook/assets/a.png": "not really a png",
  });
  const space = await t.space();
  await run(space, server.url);
  const entries = await entriesOf(space);
  const file = entries.get("a.png")![0]!.id;
  expect(entries.get("Home")![0]!.props.cover).toMatchObject({ ref: { kind: "file", file } });
});

test("covers are found by their addresses, in percent signs and from the top, and as they are written", async () => {
  const cover = (address: string) => `---\ncover: ${address}\n---\n\n`;
  const server = await repositoryOf({
    "README.md": `${cover("img/day%20one.png")}# Encoded\n`,
    "guide/top.md": `${cover("/img/day one.png")}# From the top\n`,
    "guide/plain.md": `${cover("../img/day one.png")}# Plain\n`,
    "guide/signs.md": `${cover("../img/100%25.png")}# Signs\n`,
    ".gitbook.yaml": "",
    "img/day one.png": "one",
    "img/100%25.png": "signs",
    "a.md": "# A\n\n![](<img/day one.png>) ![](img/100%2525.png)\n",
  });
  const space = await t.space();
  await run(space, server.url);
  const entries = await entriesOf(space);
  const id = (name: string) => entries.get(name)![0]!.id;
  for (const [page, file] of [
    ["Encoded", "day one.png"],
    ["From the top", "day one.png"],
    ["Plain", "day one.png"],
    ["Signs", "100%25.png"],
  ] as const)
    expect(entries.get(page)![0]!.props.cover, page).toMatchObject({ ref: { kind: "file", file: id(file) } });
});

test("a transaction that PostgreSQL refuses once is run again, and nothing is left staged", async () => {
  const server = await repositoryOf(repositoryWith(30));
  const space = await t.space();
  for (const statement of [
    "create sequence refused",
    `create function refuse_once() returns trigger language plpgsql as $$ begin
      if nextval('refused') = 1 then raise exception 'once' using errcode = '40001'; end if;
      return null;
    end $$`,
    "create trigger refuse_once after insert on revision for each statement execute function refuse_once()",
  ])
    await sql.raw(statement).execute(t.db);
  try {
    expect(await run(space, server.url)).toMatchObject({ state: "success" });
  } finally {
    await sql.raw("drop trigger refuse_once on revision").execute(t.db);
  }
  expect((await entriesOf(space)).size).toBe(33);
  expect(await left()).toBe(0);
});

test("a failed import leaves nothing staged, and the one after it works", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n", "binary.md": "# B\n\0" });
  const space = await t.space();
  expect(await run(space, server.url)).toMatchObject({ state: "failure" });
  expect(await left()).toBe(0);
  await rm(join(server.folder, "binary.md"));
  await server.commit("Second");
  expect(await run(space, server.url)).toMatchObject({ state: "success" });
  expect(await left()).toBe(0);
});
