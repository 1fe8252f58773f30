import { afterAll, expect, test } from "vitest";
import { commit } from "../revisions/commit.js";
import { commitPrimary } from "../revisions/primary.js";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
import type { Ctx } from "../trpc.js";
import { blobOid, bodiesOf, keepBodies, sizesOf, suspectBodies } from "./bodies.js";
import { writtenBetween } from "./differences.js";
import {
  ancestorsOf,
  entriesById,
  entriesOfKind,
  entryById,
  pagesBefore,
  pagesBelow,
  pagesBelowEach,
  pathOf,
  pathsOf,
  siblingsAtEnd,
  siblingsUnder,
  withAncestors,
} from "./entries.js";
import { forgetMergeBases, moveMergeBases } from "./merge-bases.js";
import type { EntryFields } from "./merge-entry.js";
import { pageWith } from "./testing-sides.js";
import {
  baseOf,
  branchAt,
  type Entry,
  headOf,
  lockBranch,
  ofKind,
  primaryAt,
  type ReadPoint,
  versionOfBranch,
  versionOfRevision,
} from "./version.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

const page = (id: string, parent: string | null = null, fields: EntryFields = {}): Entry => ({
  ...pageWith({ parent, slug: id, title: `Title of ${id}`, ...fields }),
  id,
});
const variable = (id: string): Entry => ({
  id,
  kind: "variable",
  parent: null,
  position: "a0",
  slug: null,
  title: id,
  body: null,
  git_path: null,
  git_oid: null,
  props: { value: 1 },
  updated_at: null,
  created_at: "2026-01-01T00:00:00Z",
});

/** Adds a revision to a branch; the primary one has the id of the space. */
const write = (space: string, branch: string, put: Entry[], remove: string[] = []) =>
  t.db.transaction().execute(async (db) => {
    const ctx = { ...t.ctx, db };
    const head = await lockBranch(ctx, branch);
    const revision = { space, head, type: "edits" as const, changes: { put, remove } };
    return branch === space ? commitPrimary(ctx, revision) : commit(ctx, revision);
  });

async function spaceOf(...entries: Entry[]): Promise<string> {
  const space = await t.space();
  await write(space, space, entries);
  return space;
}

const ids = (entries: Iterable<{ id: string }>) => [...entries].map(({ id }) => id);

/**
 * Alpha holds one, which holds two, which holds three; beside alpha is beta, which holds four. The order of siblings is
 * not that of their ids.
 */
const TREE = [
  page("beta", null, { position: "a1" }),
  page("alpha", null, { position: "a0" }),
  page("one", "alpha", { position: "a1" }),
  page("other", "alpha", { position: "a0" }),
  page("two", "one"),
  page("three", "two"),
  page("four", "beta"),
  variable("alias"),
];

test("entries are found by their ids, and what is not there is left out", async () => {
  const at = primaryAt(await spaceOf(...TREE));
  const found = await entriesById(t.ctx, at, ["one", "nothing", "alias"]);
  expect([...found].map(([id, entry]) => [id, entry.kind]).sort()).toEqual([
    ["alias", "variable"],
    ["one", "page"],
  ]);
  expect(await entryById(t.ctx, at, "two")).toMatchObject({ id: "two", parent: "one" });
  expect(await entryById(t.ctx, at, "nothing")).toBeUndefined();
  expect(ofKind(found.get("one"), "page")?.id).toBe("one");
  expect([ofKind(found.get("alias"), "page"), ofKind(undefined, "page")]).toEqual([undefined, undefined]);
});

test("entries of a kind come in the order of their places", async () => {
  const at = primaryAt(await spaceOf(...TREE));
  expect(ids(await entriesOfKind(t.ctx, at, "page"))).toEqual([
    "alpha",
    "four",
    "other",
    "three",
    "two",
    "beta",
    "one",
  ]);
  expect(ids(await entriesOfKind(t.ctx, at, "variable"))).toEqual(["alias"]);
});

test("the pages below a page are found at any depth, those below two pages with each of them", async () => {
  const at = primaryAt(await spaceOf(...TREE));
  expect(ids(await pagesBelow(t.ctx, at, "alpha"))).toEqual(["other", "three", "two", "one"]);
  expect(ids(await pagesBelow(t.ctx, at, "three"))).toEqual([]);
  expect(ids(await pagesBelowEach(t.ctx, at, ["one", "two", "beta"])).sort()).toEqual([
    "four",
    "three",
    "three",
    "two",
  ]);
});

test("the line of a page leads from itself to the top", async () => {
  const at = primaryAt(await spaceOf(...TREE));
  expect(ids(await ancestorsOf(t.ctx, at, "three"))).toEqual(["three", "two", "one", "alpha"]);
  expect(ids(await ancestorsOf(t.ctx, at, "beta"))).toEqual(["beta"]);
});

test("entries are read with all pages above them, level by level, each once", async () => {
  const at = primaryAt(await spaceOf(...TREE));
  const { ctx, asked } = watched(t.ctx);
  const found = await withAncestors(ctx, at, ["three", "two", "four", "alias"]);
  expect([...found.keys()].sort()).toEqual(["alias", "alpha", "beta", "four", "one", "three", "two"]);
  expect([...found].every(([id, entry]) => entry.id === id)).toBe(true);
  // The entries, one and beta, alpha.
  expect(asked).toHaveLength(3);
  expect((await withAncestors(t.ctx, at, [])).size).toBe(0);
});

test("pages that lie below each other in a circle are read once", async () => {
  const at = primaryAt(await spaceOf(page("one", "two"), page("two", "one")));
  expect([...(await withAncestors(t.ctx, at, ["one"])).keys()].sort()).toEqual(["one", "two"]);
});

test("each of several pages comes with its line, and its path", async () => {
  const at = primaryAt(await spaceOf(...TREE, page("link", "one", { slug: null })));
  const lines = await pathsOf(t.ctx, at, ["three", "one", "link", "nothing", "alias"]);
  expect(new Map([...lines].map(([id, line]) => [id, ids(line)]))).toEqual(
    new Map([
      ["three", ["three", "two", "one", "alpha"]],
      ["one", ["one", "alpha"]],
      ["link", ["link", "one", "alpha"]],
    ]),
  );
  expect(lines.get("one")![0]).toMatchObject({ title: "Title of one", slug: "one", props: {} });
  expect([...lines.values()].map(pathOf).sort()).toEqual(["alpha/one", "alpha/one", "alpha/one/two/three"]);
});

test("the page before another one is its nearest sibling in order, by id where they share a position", async () => {
  const entries = [
    page("a", null, { position: "a1" }),
    page("b", null, { position: "a1" }),
    page("first", null, { position: "a0" }),
    page("last", null, { position: "a3" }),
    page("inner", "a", { position: "a2" }),
    page("next", "a", { position: "a4" }),
  ];
  const at = primaryAt(await spaceOf(...entries));
  expect(await pagesBefore(t.ctx, at, entries)).toEqual(
    new Map([
      ["a", "first"],
      ["b", "a"],
      ["last", "b"],
      ["next", "inner"],
    ]),
  );
});

test("the pages beside each other come in order, at the top and below a page", async () => {
  const at = primaryAt(await spaceOf(...TREE));
  expect(await siblingsUnder(t.ctx, at, null)).toEqual([
    { id: "alpha", position: "a0", slug: "alpha" },
    { id: "beta", position: "a1", slug: "beta" },
  ]);
  expect(ids(await siblingsUnder(t.ctx, at, "alpha"))).toEqual(["other", "one"]);
  expect(await siblingsUnder(t.ctx, at, "three")).toEqual([]);
});

test("of many pages beside each other, one that comes to their end is told of the last and of those that are named like it", async () => {
  const many = Array.from({ length: 60 }, (_, at) => {
    const slug = at % 20 === 0 ? `new-${at}` : `page-${at}`;
    return page(`p${at}`, null, { position: `a${String(at).padStart(3, "0")}5`, slug });
  });
  const space = await spaceOf(page("top"), ...many, page("inner", "p1", { slug: "new" }));
  await t.db
    .insertInto("branch")
    .values({ id: `${space}-c`, space, seq: 0, revision: "r", base_seq: 2 })
    .execute();
  await write(space, `${space}-c`, [
    page("p59", "p1"),
    page("p20", null, { position: "a0205", slug: "other" }),
  ]);
  const at = versionOfBranch(space, await headOf(t.ctx, `${space}-c`));
  const toldOf = async (parent: string | null, slug: string, without: string[] = []) =>
    ids(await siblingsAtEnd(t.ctx, at, parent, { slug, without })).sort();
  // The last one of its own, too.
  expect(await toldOf(null, "new")).toEqual(["p0", "p20", "p40", "p58"]);
  expect(await toldOf(null, "page-57")).toEqual(["p20", "p57", "p58"]);
  expect(await toldOf(null, "page-57", ["p20", "p58"])).toEqual(["p57"]);
  expect(await toldOf("p1", "new")).toEqual(["inner", "p59"]);
  expect(await toldOf("p2", "new")).toEqual([]);
  expect(
    ids(await siblingsAtEnd(t.ctx, primaryAt(space), null, { slug: "new", without: [] })).sort(),
  ).toEqual(["p0", "p20", "p40", "p59"]);
});

test("content is read as it was at each revision", async () => {
  const space = await spaceOf(page("one"), page("two"));
  const { seq } = await headOf(t.ctx, space);
  await write(space, space, [page("one", null, { title: "New" }), page("three")], ["two"]);
  const titles = async (at: number | undefined) =>
    (await entriesOfKind(t.ctx, primaryAt(space, at), "page")).map(({ title }) => title);
  expect(await titles(seq - 1)).toEqual([]);
  expect(await titles(seq)).toEqual(["Title of one", "Title of two"]);
  expect(await titles(seq + 1)).toEqual(["New", "Title of three"]);
  expect(await titles(undefined)).toEqual(["New", "Title of three"]);
});

test("a change request shows its own entries, and below them those of the revision that it stands on", async () => {
  const space = await spaceOf(page("kept"), page("edited"), page("removed"));
  const { id } = await admin.changeRequests.create({ spaceId: space });
  const { seq: base_seq } = await headOf(t.ctx, space);
  await write(space, id, [page("edited", null, { title: "Own" }), page("own")], ["removed"]);
  await write(space, space, [page("edited", null, { title: "Later" }), page("later")]);
  const head = await headOf(t.ctx, id);
  expect(head).toMatchObject({ id, base_seq });
  const version = versionOfBranch(space, head);
  expect(version).toMatchObject({ space, branch: id, revision: head.revision });
  expect(version.seq).toBeUndefined();
  const titles = async (at: Parameters<typeof entriesOfKind>[1]) =>
    (await entriesOfKind(t.ctx, at, "page")).map(({ title }) => title);
  const now = ["Own", "Title of kept", "Title of own"];
  const before = ["Title of edited", "Title of kept", "Title of removed"];
  expect(await titles(version)).toEqual(now);
  expect(await titles(branchAt(version, head.seq))).toEqual(now);
  expect(await titles(branchAt(version, head.seq - 1))).toEqual(before);
  expect(await titles(await versionOfRevision(t.ctx, space, head.revision))).toEqual(now);
  expect(await titles(baseOf(version)!)).toEqual(before);
});

test("what a change request had written at a revision is found, and not what it wrote or gave up later", async () => {
  const space = await spaceOf(page("kept"), page("given up"), page("edited"));
  const { id } = await admin.changeRequests.create({ spaceId: space });
  await write(space, id, [page("given up", null, { title: "Own" }), page("own")]);
  const { seq } = await headOf(t.ctx, id);
  await t.db.transaction().execute(async (db) => {
    const ctx = { ...t.ctx, db };
    const changes = { put: [page("edited", null, { title: "Own" })], remove: [], release: ["given up"] };
    return commit(ctx, { space, head: await lockBranch(ctx, id), type: "edits", changes });
  });
  const version = versionOfBranch(space, await headOf(t.ctx, id));
  const found = async (...between: [before: ReadPoint | undefined, after: ReadPoint]) =>
    (await writtenBetween(t.ctx, ...between)).map((one) => [one.id, one.before?.title, one.after?.title]);
  const base = baseOf(version)!;
  expect(await found(base, branchAt(version, seq))).toEqual([
    ["given up", "Title of given up", "Own"],
    ["own", undefined, "Title of own"],
  ]);
  expect(await found(base, version)).toEqual([
    ["edited", "Title of edited", "Own"],
    ["own", undefined, "Title of own"],
  ]);
  expect(await found(branchAt(version, seq), branchAt(version, seq + 1))).toEqual([
    ["edited", "Title of edited", "Own"],
    ["given up", "Own", "Title of given up"],
  ]);
});

test("what the primary content wrote between two revisions is found, and all of it from the first one on", async () => {
  const space = await spaceOf(page("one"), page("two"), page("three"));
  const { seq } = await headOf(t.ctx, space);
  await write(space, space, [page("one", null, { title: "New" }), page("four")], ["two"]);
  const after = primaryAt(space, seq + 1);
  const ids = async (before?: ReadPoint) =>
    (await writtenBetween(t.ctx, before, after)).map(({ id, before, after }) => [id, !!before, !!after]);
  expect(await ids(primaryAt(space, seq))).toEqual([
    ["four", false, true],
    ["one", true, true],
    ["two", true, false],
  ]);
  expect((await ids()).filter(([, , there]) => there).map(([id]) => id)).toEqual(["four", "one", "three"]);
});

test("an update of a change request brings what the primary content wrote meanwhile", async () => {
  const space = await spaceOf(page("one"), page("two"));
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId: space });
  await write(space, changeRequestId, [page("own")]);
  const before = versionOfBranch(space, await headOf(t.ctx, changeRequestId));
  const { seq } = await headOf(t.ctx, changeRequestId);
  await write(space, space, [page("two", null, { title: "Later" })]);
  await admin.changeRequests.pull({ spaceId: space, changeRequestId });
  const head = await headOf(t.ctx, changeRequestId);
  const after = branchAt(versionOfBranch(space, head), head.seq);
  // What the update wrote anew without a change may be among them.
  const found = (await writtenBetween(t.ctx, branchAt(before, seq), after)).filter(
    ({ before, after }) => before?.title !== after?.title,
  );
  expect(found.map(({ id, before, after }) => [id, before?.title, after?.title])).toEqual([
    ["two", "Title of two", "Later"],
  ]);
});

test("primary content stands on nothing, and a revision is found in its own space alone", async () => {
  const space = await spaceOf(page("one"));
  const head = await headOf(t.ctx, space);
  const version = versionOfBranch(space, head);
  expect([version.base, baseOf(version)]).toEqual([undefined, undefined]);
  expect(await versionOfRevision(t.ctx, space, head.revision)).toMatchObject({ space, seq: head.seq });
  const refused = { code: "NOT_FOUND", message: "Revision: not found" };
  for (const [where, id] of [
    [await t.space(), head.revision],
    [space, "nothing"],
  ] as const)
    await expect(versionOfRevision(t.ctx, where, id)).rejects.toMatchObject(refused);
});

test("the head of a branch that is not there is 404, locked or not", async () => {
  const refused = { code: "NOT_FOUND", message: "Content: not found" };
  await expect(headOf(t.ctx, "nothing")).rejects.toMatchObject(refused);
  await t.db.transaction().execute(async (db) => {
    await expect(lockBranch({ ...t.ctx, db }, "nothing")).rejects.toMatchObject(refused);
  });
});

test("texts are kept with their sizes in bytes, and have the object id of Git", async () => {
  const space = await t.space();
  const [one, two] = (await keepBodies(t.ctx, space, ["öß", "three"])) as [string, string];
  expect(await sizesOf(t.ctx, space, [two, null, one, "nothing", two])).toEqual([5, 0, 4, 0, 5]);
  expect(await sizesOf(t.ctx, space, [null, null])).toEqual([0, 0]);
  expect(blobOid("hello\n")).toBe("ce013625030ba8dba906f756967f9e9ca394464a");
  expect(blobOid(Buffer.from("hello\n"))).toBe(blobOid("hello\n"));
});

const nothing = primaryAt("space");
test.each<[what: string, call: (ctx: Ctx) => Promise<unknown>]>([
  ["entries by ids", (ctx) => entriesById(ctx, nothing, [])],
  ["entries with those above them", (ctx) => withAncestors(ctx, nothing, [])],
  ["the pages below some pages", (ctx) => pagesBelowEach(ctx, nothing, [])],
  ["the lines of pages", (ctx) => pathsOf(ctx, nothing, [])],
  ["the pages before some pages", (ctx) => pagesBefore(ctx, nothing, [])],
  ["texts", (ctx) => bodiesOf(ctx, "space", [])],
  ["the sizes of no texts", (ctx) => sizesOf(ctx, "space", [null])],
  ["a check of texts", (ctx) => suspectBodies(ctx, "space", [])],
  ["moves of common ancestors", (ctx) => moveMergeBases(ctx, "space", "request", new Map())],
  ["common ancestors that are forgotten", (ctx) => forgetMergeBases(ctx, "space", "request", [])],
])("%s: none of them make no query", async (_, call) => {
  const { ctx, asked } = watched(t.ctx);
  await call(ctx);
  expect(asked).toEqual([]);
});
