import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { migrations } from "../../migrations.js";
import { contentTest } from "../../testing/content.js";
import { found, writing } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const { spaceWith, open } = writing(t, admin);
const app = (space: string, path = "") => `http://app.test/s/${space}${path && `/${path}`}`;

/** A space with two pages one below the other, and a file, for others to refer to. */
async function target() {
  const space = await spaceWith({ guide: "## Top\n", other: "O.\n" }, ["dot.png"]);
  const { spaceId, pages } = space;
  await open(spaceId, [
    { operation: "insert_page", title: "deep", into: pages.guide!, document: { markdown: "D.\n" } },
  ]);
  const tree = (await admin.content.pages({ spaceId })).pages as { id: string; pages: { id: string }[] }[];
  return { ...space, deep: tree.find(({ id }) => id === pages.guide)!.pages[0]!.id };
}

const titles = (list: { items: unknown[] }) =>
  (list.items as { page: { title: string } }[]).map(({ page }) => page.title).sort();

test("links to pages of another space show the page, its space and its organization", async () => {
  const to = await target();
  const { spaceId } = await spaceWith({
    "1 path": `[x](${app(to.spaceId, "guide/deep")}#here)\n`,
    "2 id": `{% content-ref url="${app(to.spaceId, to.pages.guide)}" %}\n[x](${app(to.spaceId, to.pages.guide)})\n{% endcontent-ref %}\n`,
    "3 ref": `[x](/broken/spaces/${to.spaceId}/pages/${to.pages.other}) ![](/broken/spaces/${to.spaceId}/files/${to.files["dot.png"]})\n`,
    "4 space": `${app(to.spaceId)}\n`,
    "5 lost": `[x](${app(to.spaceId, "guide/nothing")}) [y](/broken/spaces/${to.spaceId}/pages/nothing)\n`,
    "7 gone": "[x](/broken/spaces/nowhere/pages/nothing)\n",
    "6 app": `${app(to.spaceId, `revisions/${to.spaceId}`)} ${app("nothing", "guide")} http://app.test/o/x\n`,
  });
  const list = await admin.links.list({ spaceId });
  expect(found(list)).toEqual([
    "1 path -> ok page deep#here",
    "2 id -> ok page guide",
    "3 ref -> ok page other",
    "3 ref -> ok file dot.png",
    "4 space -> ok space",
    `5 lost -> broken ${app(to.spaceId, "guide/nothing")}`,
    `5 lost -> broken /broken/spaces/${to.spaceId}/pages/nothing`,
    `6 app -> in-app ${app(to.spaceId, `revisions/${to.spaceId}`)}`,
    `6 app -> in-app ${app("nothing", "guide")}`,
    "6 app -> in-app http://app.test/o/x",
    "7 gone -> broken /broken/spaces/nowhere/pages/nothing",
  ]);
  expect(list.stats).toEqual({ total: 11, broken: { total: 3 } });
  const { revision } = await admin.spaces.get({ spaceId: to.spaceId });
  const deep = list.items.find(
    ({ targetReference: found }) => found?.kind === "page" && found.page.id === to.deep,
  );
  expect(deep!.targetReference).toMatchObject({
    organization: { object: "organization", id: "acme" },
    space: { object: "space", id: to.spaceId },
    versionContext: { type: "revision", revision: { id: revision } },
    page: { path: "guide/deep", urls: { app: app(to.spaceId, to.deep) } },
  });
  expect((await admin.links.list({ spaceId, status: "broken" })).count).toBe(3);
});

test("a link to another space follows its page, breaks with it, and comes back with it", async () => {
  const to = await target();
  const at = to.spaceId;
  const { spaceId, pages } = await spaceWith({
    from: `[x](${app(at, "guide/deep")}) [late](${app(at, "later/on")})\n`,
  });
  const links = async () => found(await admin.links.listOfPage({ spaceId, pageId: pages.from! }));
  const late = `from -> broken ${app(at, "later/on")}`;
  expect(await links()).toEqual(["from -> ok page deep", late]);
  await open(at, [{ operation: "update_page", page: to.deep, into: to.pages.other!, slug: "moved" }]);
  expect(await links()).toEqual(["from -> ok page deep", late]);
  const text = `Again: [x](${app(at, "guide/deep")}) [late](${app(at, "later/on")})\n`;
  await open(spaceId, [{ operation: "update_page", page: pages.from!, document: { markdown: text } }]);
  expect(await links()).toEqual(["from -> ok page deep", late]);
  await open(at, [
    { operation: "insert_page", ref: "l", title: "later", document: { markdown: "L.\n" } },
    { operation: "insert_page", into: "l", title: "on", document: { markdown: "O.\n" } },
  ]);
  expect(await links()).toEqual(["from -> ok page deep", "from -> ok page on"]);
  const later = (await admin.content.pages({ spaceId: at })).pages.find(({ title }) => title === "later")!.id;
  const move = [{ operation: "update_page" as const, page: later, slug: "sooner" }];
  const request = await open(at, move, { merge: false });
  expect(await links()).toEqual(["from -> ok page deep", "from -> ok page on"]);
  await admin.changeRequests.merge({ spaceId: at, changeRequestId: request });
  expect(await links()).toEqual(["from -> ok page deep", "from -> ok page on"]);
  await open(at, [{ operation: "delete_page", page: to.deep }]);
  expect(await links()).toEqual([`from -> broken ${app(at, "guide/deep")}`, "from -> ok page on"]);
});

test("addresses of the own space name its pages, also in a change request, and those of the original in a copy", async () => {
  const { spaceId, pages } = await spaceWith({ from: "F.\n", to: "T.\n" });
  const markdown = `[to](${app(spaceId, "to")}#gone) [new](${app(spaceId, "new")})\n`;
  const changeRequestId = await open(
    spaceId,
    [
      { operation: "update_page", page: pages.from!, document: { markdown } },
      { operation: "insert_page", title: "new", document: { markdown: "N.\n" } },
    ],
    { merge: false },
  );
  const at = { spaceId, changeRequestId };
  const expected = ["from -> broken page to#gone", "from -> ok page new"];
  expect(found(await admin.changeRequestLinks.list(at))).toEqual(expected);
  await admin.changeRequests.merge(at);
  expect(found(await admin.links.list({ spaceId }))).toEqual(expected);
  await open(spaceId, [{ operation: "update_page", page: pages.to!, slug: "moved" }]);
  expect(found(await admin.links.list({ spaceId }))).toEqual(expected);
  expect(titles(await admin.links.pageBacklinks({ spaceId, pageId: pages.to! }))).toEqual(["from"]);
  const copy = await admin.spaces.duplicate({ spaceId });
  await open(spaceId, [{ operation: "delete_page", page: pages.to! }]);
  const [first] = (await admin.links.list({ spaceId: copy.id })).items;
  expect(first).toMatchObject({ status: "broken", targetReference: { kind: "url" } });
});

test("backlinks name the pages of other spaces, after those of the own one, page by page", async () => {
  const to = await target();
  const at = to.spaceId;
  await open(at, [
    { operation: "update_page", page: to.pages.other!, document: { markdown: "[x](guide.md)\n" } },
  ]);
  const file = `/broken/spaces/${at}/files/${to.files["dot.png"]}`;
  const one = await spaceWith({
    a: `[x](${app(at, "guide")}) [x](${app(at, to.pages.guide)}) ![](${file})\n`,
    b: `[x](/broken/spaces/${at}/pages/${to.pages.guide})\n`,
    c: `[x](${app(at, "guide/deep")})\n`,
  });
  await spaceWith({ d: `[x](${app(at, "guide")})\n` });
  const guide = { spaceId: at, pageId: to.pages.guide! };
  const list = await admin.links.pageBacklinks(guide);
  expect([titles(list), list.count]).toEqual([["a", "b", "d", "other"], 4]);
  expect(list.items[0]).toMatchObject({ kind: "page", space: { id: at }, page: { title: "other" } });
  const read: unknown[] = [];
  for (let page: string | undefined; ; ) {
    const part = await admin.links.pageBacklinks({ ...guide, page, limit: 1 });
    expect([part.items.length, part.count]).toEqual([1, 4]);
    read.push(...part.items);
    page = part.next?.page;
    if (page === undefined) break;
  }
  expect(read).toEqual(list.items);
  const { revision } = await admin.spaces.get({ spaceId: one.spaceId });
  const ofFile = await admin.links.fileBacklinks({ spaceId: at, fileId: to.files["dot.png"]! });
  expect(ofFile.items).toMatchObject([
    {
      kind: "page",
      page: { id: one.pages.a },
      space: { id: one.spaceId },
      versionContext: { type: "revision", revision: { id: revision } },
    },
  ]);
  const changeRequestId = await open(at, [], { merge: false });
  expect((await admin.changeRequestLinks.pageBacklinks({ ...guide, changeRequestId })).count).toBe(4);
  // What refers to it no more, or not yet, is no backlink.
  await open(one.spaceId, [
    { operation: "update_page", page: one.pages.a!, document: { markdown: "No.\n" } },
    { operation: "delete_page", page: one.pages.b! },
  ]);
  await open(
    one.spaceId,
    [{ operation: "insert_page", title: "e", document: { markdown: `[x](${app(at, "guide")})\n` } }],
    { merge: false },
  );
  expect(titles(await admin.links.pageBacklinks(guide))).toEqual(["d", "other"]);
});

test("a caller who may not read the other space sees nothing of it, from either end", async () => {
  const to = await target();
  const at = to.spaceId;
  const there = app(at, "guide");
  const missing = app(at, "nothing");
  const ids = `[c](/broken/spaces/${at}/pages/${to.pages.guide}) [d](/broken/spaces/${at}/pages/nothing)`;
  const { spaceId } = await spaceWith({
    from: `[a](${there}) [b](${missing}) ${ids} [e](${app(at)})\n`,
  });
  await t.db.updateTable("space").set({ default_level: null }).where("id", "=", at).execute();
  const hidden = [
    `from -> in-app ${there}`,
    `from -> in-app ${missing}`,
    `from -> broken /broken/spaces/${at}/pages/${to.pages.guide}`,
    `from -> broken /broken/spaces/${at}/pages/nothing`,
    `from -> in-app ${app(at)}`,
  ];
  const member = t.as({ acme: "read" }, { id: "member" });
  for (let turn = 0; turn < 2; turn += 1) {
    const seen = await member.links.list({ spaceId });
    expect([found(seen), seen.stats]).toEqual([hidden, { total: 5, broken: { total: 2 } }]);
    expect((await admin.links.list({ spaceId })).stats).toEqual({ total: 5, broken: { total: 2 } });
  }
  // Addresses below /broken/ are broken for who may not read the space, whether or not the page is there: nothing is learned.
  const broken = found(await member.links.list({ spaceId, status: "broken" }));
  expect(broken).toEqual(hidden.filter((link) => link.includes("-> broken")));
  // The other way round: who reads the target, and not what refers to it.
  await t.db.updateTable("space").set({ default_level: "inherit" }).where("id", "=", at).execute();
  await t.db.updateTable("space").set({ default_level: null }).where("id", "=", spaceId).execute();
  const guide = { spaceId: at, pageId: to.pages.guide! };
  expect(await member.links.pageBacklinks(guide)).toEqual({ items: [], count: 0 });
  expect(titles(await admin.links.pageBacklinks(guide))).toEqual(["from"]);
  // A space in the trash is there for nobody.
  await admin.spaces.remove({ spaceId });
  expect((await admin.links.pageBacklinks(guide)).count).toBe(0);
});

test("organizations see nothing of each other through links, and who is in both sees both ends", async () => {
  const to = await target();
  const beta = t.as({ beta: "admin" }, { id: "beta" });
  const both = t.as({ acme: "read", beta: "read" }, { id: "both" });
  const theirs = await t.space({ organization: "beta" });
  const { id: changeRequestId } = await beta.changeRequests.create({ spaceId: theirs });
  const markdown = `[x](${app(to.spaceId, "guide")}) [y](${app(to.spaceId, "nothing")})\n`;
  await beta.changeRequests.edit({
    spaceId: theirs,
    changeRequestId,
    changes: [{ operation: "insert_page", title: "spy", document: { markdown } }],
  });
  await beta.changeRequests.merge({ spaceId: theirs, changeRequestId });
  const guide = { spaceId: to.spaceId, pageId: to.pages.guide! };
  expect(found(await beta.links.list({ spaceId: theirs }))).toEqual([
    `spy -> in-app ${app(to.spaceId, "guide")}`,
    `spy -> in-app ${app(to.spaceId, "nothing")}`,
  ]);
  await expect(beta.links.pageBacklinks(guide)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await admin.links.pageBacklinks(guide)).count).toBe(0);
  expect(found(await both.links.list({ spaceId: theirs }))).toEqual([
    "spy -> ok page guide",
    `spy -> broken ${app(to.spaceId, "nothing")}`,
  ]);
  expect((await both.links.pageBacklinks(guide)).items).toMatchObject([
    { organization: { id: "beta" }, space: { id: theirs }, page: { title: "spy" } },
  ]);
});

test("addresses that were kept as they are before lead to their pages after the migration", async () => {
  const to = await target();
  const { spaceId } = await spaceWith({
    from: `[x](${app(to.spaceId, "guide/deep")}#here) ${app(to.spaceId)} ${app("nothing", "guide")}\n`,
  });
  const links = found(await admin.links.list({ spaceId }));
  expect(links).toEqual([
    "from -> ok page deep#here",
    "from -> ok space",
    `from -> in-app ${app("nothing", "guide")}`,
  ]);
  await t.db
    .updateTable("reference")
    .set({ kind: "url", path: null, anchor: null, target: null, target_space: null })
    .where("space", "=", spaceId)
    .execute();
  await sql`drop index reference_elsewhere, reference_from_elsewhere, reference_path_elsewhere`.execute(t.db);
  await migrations["0016-links-between-spaces"].up(t.db as never);
  t.base.cache.clear();
  expect(found(await admin.links.list({ spaceId }))).toEqual(links);
});
