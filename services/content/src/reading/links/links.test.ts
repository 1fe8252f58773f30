import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { writing } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const stranger = t.as({ beta: "admin" });
const { spaceWith, open, found } = writing(t, admin);

test("GET links lists what pages refer to, with whole objects and counts", async () => {
  const { spaceId, pages, files } = await spaceWith(
    {
      start: `[set up](set-up.md#on-linux) and [lost](lost.md), ![](.gitbook/assets/dot.png), [app](http://app.test/o/x)\n`,
      "set-up": "[start](start.md) [out](https://example.com/)\n\n## On Linux\n\nType.\n",
    },
    ["dot.png"],
  );
  const list = await admin.links.list({ spaceId });
  expect(found(list)).toEqual([
    "set-up -> ok page start",
    "set-up -> ok https://example.com/",
    "start -> ok page set-up#on-linux",
    "start -> broken lost.md",
    "start -> ok file dot.png",
    "start -> in-app http://app.test/o/x",
  ]);
  expect([list.count, list.stats, list.next]).toEqual([6, { total: 6, broken: { total: 1 } }, undefined]);
  const { revision } = await admin.spaces.get({ spaceId });
  const within = {
    organization: { object: "organization", id: "acme" },
    space: { object: "space", id: spaceId, organization: "acme" },
    versionContext: { type: "revision", revision: { object: "revision", id: revision } },
  };
  const of = (kind: string) => list.items.find(({ targetReference }) => targetReference?.kind === kind)!;
  const toSetUp = list.items.find(
    ({ targetReference: to }) => to?.kind === "page" && to.page.id === pages["set-up"],
  );
  expect(toSetUp).toMatchObject({
    status: "ok",
    relation: "reference",
    targetReference: {
      ...within,
      kind: "page",
      page: { id: pages["set-up"], type: "document", path: "set-up", pages: [] },
      internalLocation: { type: "anchor", anchor: "on-linux" },
    },
    locationReferences: [{ ...within, kind: "page", page: { id: pages.start, title: "start" } }],
  });
  expect(of("file").targetReference).toMatchObject({
    ...within,
    kind: "file",
    file: { id: files["dot.png"] },
  });
});

test("GET links filters by status and reads on from page to page", async () => {
  const { spaceId, pages } = await spaceWith({
    one: "[a](two.md) [b](no.md) [c](http://app.test/x)\n",
    two: "[a](one.md) [b](nothing.md)\n",
  });
  const of = async (status: "ok" | "broken" | "in-app") => {
    const { items, count, stats } = await admin.links.list({ spaceId, status });
    expect([count, stats]).toEqual([items.length, { total: 5, broken: { total: 2 } }]);
    return items.map(({ status }) => status);
  };
  expect(await of("ok")).toEqual(["ok", "ok"]);
  expect(await of("broken")).toEqual(["broken", "broken"]);
  expect(await of("in-app")).toEqual(["in-app"]);
  const all: string[] = [];
  for (let page: string | undefined; ; ) {
    const list = await admin.links.list({ spaceId, page, limit: 2 });
    all.push(...found(list));
    page = list.next?.page;
    if (page === undefined) break;
  }
  expect(all.sort()).toEqual(found(await admin.links.list({ spaceId })).sort());
  expect(await admin.links.list({ spaceId, limit: 0 })).toMatchObject({ items: [], count: 5 });
  const ofOne = await admin.links.listOfPage({ spaceId, pageId: pages.one!, status: "broken" });
  expect([found(ofOne), ofOne.stats]).toEqual([["one -> broken no.md"], { total: 3, broken: { total: 1 } }]);
});

test("backlinks of a page and a file name the pages that refer to them, once each", async () => {
  const { spaceId, pages, files } = await spaceWith(
    {
      a: "[x](target.md) [again](target.md#x)\n",
      b: "[x](target) ![](.gitbook/assets/dot.png)\n",
      target: "[self](#x)\n\n## X\n",
    },
    ["dot.png"],
  );
  const ids = (list: { items: { kind: string }[] }) =>
    list.items.map((item) => (item as unknown as { page: { title: string } }).page.title).sort();
  const list = await admin.links.pageBacklinks({ spaceId, pageId: pages.target! });
  expect([ids(list), list.count]).toEqual([["a", "b"], 2]);
  const first = await admin.links.pageBacklinks({ spaceId, pageId: pages.target!, limit: 1 });
  const rest = await admin.links.pageBacklinks({
    spaceId,
    pageId: pages.target!,
    limit: 1,
    page: first.next!.page,
  });
  expect([...ids(first), ...ids(rest)].sort()).toEqual(["a", "b"]);
  expect([first.count, rest.count, rest.next]).toEqual([2, 2, undefined]);
  expect(ids(await admin.links.fileBacklinks({ spaceId, fileId: files["dot.png"]! }))).toEqual(["b"]);
  expect(await admin.links.pageBacklinks({ spaceId, pageId: pages.a! })).toEqual({ items: [], count: 0 });
});

test("a link works on when its target or its own page is renamed or moved, and breaks when the target is deleted", async () => {
  const { spaceId, pages } = await spaceWith({ from: "[to](to.md)\n", to: "Here.\n", folder: "A folder.\n" });
  const links = async () => found(await admin.links.listOfPage({ spaceId, pageId: pages.from! }));
  await open(spaceId, [{ operation: "update_page", page: pages.to!, slug: "elsewhere", title: "to" }]);
  expect(await links()).toEqual(["from -> ok page to"]);
  await open(spaceId, [{ operation: "update_page", page: pages.to!, into: pages.folder! }]);
  await open(spaceId, [{ operation: "update_page", page: pages.from!, into: pages.folder!, slug: "other" }]);
  expect(await links()).toEqual(["from -> ok page to"]);
  const backlinks = await admin.links.pageBacklinks({ spaceId, pageId: pages.to! });
  expect(backlinks.items).toMatchObject([{ kind: "page", page: { id: pages.from } }]);
  await open(spaceId, [
    { operation: "update_page", page: pages.from!, document: { markdown: "Still: [to](to.md)\n" } },
  ]);
  expect(await links()).toEqual(["from -> ok page to"]);
  await open(spaceId, [{ operation: "delete_page", page: pages.to! }]);
  expect(await links()).toEqual(["from -> broken to.md"]);
  // Its page lies in the folder now, and so does what the address names anew.
  await open(spaceId, [{ operation: "insert_page", title: "to", document: { markdown: "Back.\n" } }]);
  expect(await links()).toEqual(["from -> broken to.md"]);
  const back = {
    operation: "insert_page" as const,
    title: "to",
    into: pages.folder!,
    document: { markdown: "B.\n" },
  };
  await open(spaceId, [back]);
  expect(await links()).toEqual(["from -> ok page to"]);
});

test("a link that waited for its page holds on to it when the page, or one above it, moves", async () => {
  const { spaceId, pages } = await spaceWith({ from: "[later](guide/late.md) [too](late-too.md)\n" });
  const links = async () => found(await admin.links.listOfPage({ spaceId, pageId: pages.from! }));
  expect(await links()).toEqual(["from -> broken guide/late.md", "from -> broken late-too.md"]);
  await open(spaceId, [
    { operation: "insert_page", ref: "g", title: "guide", document: { markdown: "G.\n" } },
    { operation: "insert_page", into: "g", title: "late", document: { markdown: "L.\n" } },
    { operation: "insert_page", title: "late-too", document: { markdown: "L.\n" } },
  ]);
  const there = ["from -> ok page late", "from -> ok page late-too"];
  expect(await links()).toEqual(there);
  const tree = (await admin.content.pages({ spaceId })).pages;
  const [guide, too] = ["guide", "late-too"].map((title) => tree.find((page) => page.title === title)!.id);
  await open(spaceId, [
    { operation: "update_page", page: guide!, slug: "manual" },
    { operation: "update_page", page: too!, into: guide! },
  ]);
  expect(await links()).toEqual(there);
});

test("an anchor is broken when the page has no such heading, and whole when it gets one", async () => {
  const { spaceId, pages } = await spaceWith({
    from: "[a](to.md#here) [b](to.md#gone) [c](#there)\n\n## There\n",
    to: '## Here\n\n{% tabs %}\n{% tab title="Gone" %}\nx\n{% endtab %}\n{% endtabs %}\n',
  });
  const links = async () => found(await admin.links.listOfPage({ spaceId, pageId: pages.from! }));
  expect(await links()).toEqual([
    "from -> ok page to#here",
    "from -> ok page to#gone",
    "from -> ok page from#there",
  ]);
  await open(spaceId, [
    { operation: "update_page", page: pages.to!, document: { markdown: "## Elsewhere\n" } },
  ]);
  expect(await links()).toEqual([
    "from -> broken page to#here",
    "from -> broken page to#gone",
    "from -> ok page from#there",
  ]);
});

test("in a change request links lead to its own pages; links that it breaks differ from those broken before", async () => {
  const { spaceId, pages } = await spaceWith({ a: "[b](b.md) [lost](lost.md)\n", b: "B.\n" });
  const changeRequestId = await open(
    spaceId,
    [
      { operation: "insert_page", title: "new", document: { markdown: "[a](a.md) [none](none.md)\n" } },
      { operation: "insert_page", title: "other", document: { markdown: "[new](new.md)\n" } },
      { operation: "delete_page", page: pages.b! },
    ],
    { merge: false },
  );
  const list = await admin.changeRequestLinks.list({ spaceId, changeRequestId });
  expect(found(list)).toEqual([
    "a -> broken b.md",
    "a -> broken lost.md",
    "new -> ok page a",
    "new -> broken none.md",
    "other -> ok page new",
  ]);
  expect(list.stats).toEqual({ total: 5, broken: { total: 3, changeRequest: 2 } });
  expect(list.items[0]!.locationReferences[0]).toMatchObject({
    versionContext: {
      type: "changeRequest",
      changeRequest: { object: "change-request", id: changeRequestId },
    },
  });
  const at = { spaceId, changeRequestId };
  const own = await admin.changeRequestLinks.list({ ...at, brokenContext: "change-request" });
  expect([found(own), own.count]).toEqual([["a -> broken b.md", "new -> broken none.md"], 2]);
  const old = await admin.changeRequestLinks.list({ ...at, brokenContext: "space" });
  expect([found(old), old.count]).toEqual([["a -> broken lost.md"], 1]);
  const backlinks = await admin.changeRequestLinks.pageBacklinks({ ...at, pageId: pages.a! });
  expect(backlinks.items).toMatchObject([{ kind: "page", page: { title: "new" } }]);
  expect(found(await admin.changeRequestLinks.listOfPage({ ...at, pageId: pages.a! }))).toEqual([
    "a -> broken b.md",
    "a -> broken lost.md",
  ]);
  expect(found(await admin.links.list({ spaceId }))).toEqual(["a -> ok page b", "a -> broken lost.md"]);
  expect((await admin.links.pageBacklinks({ spaceId, pageId: pages.a! })).count).toBe(0);
});

test("links of what is not there, or not the caller's to read, are 404; a foreign cursor is 400", async () => {
  const { spaceId, pages, files } = await spaceWith({ a: "A.\n" }, ["dot.png"]);
  const changeRequestId = await open(spaceId, [], { merge: false });
  const missing = { code: "NOT_FOUND" };
  const [pageId, fileId] = [pages.a!, files["dot.png"]!];
  for (const caller of [admin, stranger]) {
    const at = { spaceId: caller === admin ? "nothing" : spaceId };
    await expect(caller.links.list(at)).rejects.toMatchObject(missing);
    await expect(caller.links.listOfPage({ ...at, pageId })).rejects.toMatchObject(missing);
    await expect(caller.links.pageBacklinks({ ...at, pageId })).rejects.toMatchObject(missing);
    await expect(caller.links.fileBacklinks({ ...at, fileId })).rejects.toMatchObject(missing);
    await expect(caller.changeRequestLinks.list({ ...at, changeRequestId })).rejects.toMatchObject(missing);
  }
  await expect(admin.links.listOfPage({ spaceId, pageId: fileId })).rejects.toMatchObject(missing);
  await expect(admin.links.fileBacklinks({ spaceId, fileId: pageId })).rejects.toMatchObject(missing);
  await expect(admin.changeRequestLinks.list({ spaceId, changeRequestId: "9" })).rejects.toMatchObject(
    missing,
  );
  for (const page of ["zzz", Buffer.from('[1,"a"]').toString("base64url")]) {
    await expect(admin.links.list({ spaceId, page })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
});
