import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing.js";
import { Post, Update } from "./schema.js";
import { type At, furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.as({ acme: "comment" }, { id: "ada" });
const bob = t.as({ acme: "comment" }, { id: "bob" });
const reader = t.as({ acme: "read" }, { id: "reader" });
const creator = t.as({ acme: "create" }, { id: "creator" });
const stranger = t.as({ beta: "admin" }, { id: "stranger" });

test.each(mounts)(
  "a comment on $what is posted, read, edited, resolved, reopened and deleted",
  async (mount) => {
    const { at, spaceId, target } = await furnish(t, mount);
    const mine = mount.of(ada);
    const posted = await mine.post({ ...at, body: text("First *words*") });
    expect(posted).toEqual({
      object: "comment",
      id: expect.any(String),
      status: "open",
      postedBy: {
        object: "user",
        id: "ada",
        displayName: "Name of ada",
        urls: { location: "http://octavo.test/v1/users/ada" },
      },
      postedAt: expect.stringMatching(/Z$/),
      reactions: [],
      replies: 0,
      body: { markdown: "First *words*" },
      target: { space: spaceId, revision: expect.any(String), ...target },
      urls: { location: `${mount.location(at)}/comments/${posted.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    const one = { ...at, commentId: posted.id };
    expect(await mine.get(one)).toEqual(posted);
    const edited = await mine.update({ ...one, body: text("Second") });
    expect(edited).toEqual({ ...posted, body: text("Second"), editedAt: expect.stringMatching(/Z$/) });
    const resolved = await mount.of(bob).update({ ...one, resolved: true });
    expect(resolved).toMatchObject({
      status: "resolved",
      resolvedBy: { id: "bob", displayName: "Name of bob" },
      resolvedAt: expect.stringMatching(/Z$/),
      editedAt: edited.editedAt,
      permissions: { edit: false, reply: true, delete: false },
    });
    expect(await mine.update({ ...one, resolved: true })).toMatchObject({ resolvedBy: { id: "bob" } });
    expect(await mine.update({ ...one, resolved: false })).toEqual(edited);
    await mine.remove(one);
    await mine.remove(one);
    await expect(mine.get(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await mine.list(at)).toEqual({ items: [], count: 0 });
  },
);

test.each(mounts)(
  "comments on $what are listed in both orders and by every filter, page by page",
  async (mount) => {
    const { at, pageId, otherPageId } = await furnish(t, mount);
    const ids: string[] = [];
    const post = async (who: typeof ada, page?: string) =>
      ids.push((await mount.of(who).post({ ...at, body: text("x"), page })).id);
    await post(ada);
    await post(bob, pageId);
    await post(ada, pageId);
    await post(bob, otherPageId);
    await post(ada);
    // All in one moment: the ids break the tie.
    await t.db
      .updateTable("comment")
      .set({ posted_at: "2026-01-01T00:00:00.000Z" })
      .where("id", "in", ids.slice(1, 4))
      .execute();
    const [first, second, third, fourth, last] = ids as [string, string, string, string, string];
    await mount.of(ada).update({ ...at, commentId: third, resolved: true });
    const walk = async (filter: object, limit = 2) => {
      const seen: string[] = [];
      for (let page: string | undefined; ; ) {
        const { items, count, next } = await mount.of(reader).list({ ...at, ...filter, limit, page });
        seen.push(...items.map(({ id }) => id));
        if (!next) {
          expect(count).toBe(seen.length);
          return seen;
        }
        page = next.page;
      }
    };
    const ascending = [...[second, third, fourth].sort(), first, last];
    expect(await walk({ order: "asc" })).toEqual(ascending);
    expect(await walk({})).toEqual(ascending.toReversed());
    expect(await walk({ order: "asc", status: "resolved" })).toEqual([third]);
    expect(await walk({ order: "asc", status: "open" }, 1)).toEqual(ascending.filter((id) => id !== third));
    expect((await walk({ targetPage: pageId }, 1)).sort()).toEqual([second, third].sort());
    expect(await walk({ targetPage: pageId, status: "open" })).toEqual([second]);
    expect(await walk({ targetPage: "unknown" })).toEqual([]);
    expect((await walk({ authors: ["bob", "nobody"] }, 1)).sort()).toEqual([second, fourth].sort());
    expect(await walk({ authors: ["ada", "bob"], order: "asc" })).toEqual(ascending);
    expect(await mount.of(reader).list({ ...at, limit: 0 })).toEqual({ items: [], count: 5 });
    await expect(mount.of(reader).list({ ...at, page: "broken" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  },
);

test.each(["asc", "desc"] as const)(
  "paging %s misses and repeats nothing that was there throughout",
  async (order) => {
    const [mount] = mounts;
    const { at } = await furnish(t, mount);
    const post = async () => (await mount.of(ada).post({ ...at, body: text("x") })).id;
    const [kept, passing] = [[] as string[], [] as string[]];
    for (let index = 0; index < 6; index++) {
      kept.push(await post());
      passing.push(await post());
    }
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { items, next } = await mount.of(reader).list({ ...at, order, limit: 2, page });
      seen.push(...items.map(({ id }) => id));
      page = next?.page;
      await post();
      await mount.of(ada).remove({ ...at, commentId: passing.pop()! });
      await mount.of(ada).update({ ...at, commentId: kept[0]!, resolved: page === undefined });
    } while (page && passing.length > 0);
    expect(seen).toEqual([...new Set(seen)]);
    const there = seen.filter((id) => kept.includes(id));
    expect(there.toSorted()).toEqual(kept.toSorted());
  },
);

test("a space and its change requests have comments of their own", async () => {
  const [space, changeRequest] = mounts;
  const { at } = await furnish(t, changeRequest);
  const { id: here } = await space.of(ada).post({ ...at, body: text("On the space") });
  const { id: there } = await changeRequest.of(ada).post({ ...at, body: text("On the request") });
  expect((await space.of(ada).list(at)).items.map(({ id }) => id)).toEqual([here]);
  expect((await changeRequest.of(ada).list(at)).items.map(({ id }) => id)).toEqual([there]);
  for (const [mount, commentId] of [
    [space, there],
    [changeRequest, here],
  ] as const) {
    await expect(mount.of(ada).get({ ...at, commentId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(mount.of(ada).update({ ...at, commentId, resolved: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await mount.of(creator).remove({ ...at, commentId });
  }
  expect((await changeRequest.of(ada).get({ ...at, commentId: there })).status).toBe("open");
});

test("a change request goes by its number too, and is talked about when it is archived or merged", async () => {
  const [, mount] = mounts;
  const { at } = await furnish(t, mount);
  const byNumber = { ...at, changeRequestId: "2" };
  const { id, target } = await mount.of(ada).post({ ...byNumber, body: text("By number") });
  expect(target.changeRequest).toBe(at.changeRequestId);
  expect((await mount.of(ada).get({ ...at, commentId: id })).id).toBe(id);
  const admin = t.as({ acme: "admin" });
  await admin.changeRequests.update({ ...at, status: "archived" } as never);
  await mount.of(ada).post({ ...at, body: text("Archived") });
  await admin.changeRequests.update({ ...at, status: "open" } as never);
  await admin.changeRequests.merge(at as never);
  await mount.of(ada).post({ ...at, body: text("Merged") });
  expect((await mount.of(ada).list(at)).count).toBe(3);
});

test.each(mounts)(
  "a comment on a page of $what shows the page as it is, and as it was once it is gone",
  async (mount) => {
    const { at, pageId, edit } = await furnish(t, mount);
    const cell = { record: "r1", definition: "c2" };
    const body = text("Here");
    const [, table] = await keysOf(at, pageId);
    const { id, target } = await mount
      .of(ada)
      .post({ ...at, body, page: pageId, node: table, tableCell: cell });
    expect(target).toMatchObject({
      page: { id: pageId, title: "Set up", emoji: "🧰", path: "guide/set-up", outdated: false },
      node: { id: table, preview: "One 1" },
      tableCell: cell,
    });
    expect(target.page!.createdAt).toMatch(/Z$/);
    const page = async () => (await mount.of(reader).get({ ...at, commentId: id })).target.page;
    await edit([{ operation: "update_page", page: pageId, title: "Install", slug: "install", emoji: "📦" }]);
    const renamed = { id: pageId, title: "Install", emoji: "📦", path: "guide/install", outdated: false };
    expect(await page()).toMatchObject(renamed);
    await edit([{ operation: "delete_page", page: pageId }]);
    expect(await page()).toEqual({ ...target.page, outdated: true });
    await expect(mount.of(ada).post({ ...at, body, page: pageId })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await mount.of(ada).list({ ...at, targetPage: pageId })).items.map((one) => one.id)).toEqual([
      id,
    ]);
  },
);

test("a page that only the change request has is commented on there alone", async () => {
  const [space, changeRequest] = mounts;
  const { at, edit } = await furnish(t, changeRequest);
  await edit([{ operation: "insert_page", title: "New", document: { markdown: "Text" } }]);
  const { pages } = await t.as({ acme: "read" }).changeRequestContent.pages(at as never);
  const page = pages.find(({ title }) => title === "New")!.id;
  const body = text("Here");
  const { target } = await changeRequest.of(ada).post({ ...at, body, page });
  expect(target.page).toMatchObject({ id: page, path: "new", outdated: false });
  await expect(space.of(ada).post({ ...at, body, page })).rejects.toThrow("Page: not found");
});

/** The keys of the blocks of a page, where it is commented on. */
async function keysOf(at: At, pageId: string): Promise<string[]> {
  const { content, changeRequestContent } = t.as({ acme: "read" });
  const document = at.changeRequestId
    ? await changeRequestContent.pageDocument({ ...at, pageId })
    : await content.pageDocument({ ...at, pageId });
  return document.nodes.map(({ key }) => String(key));
}

test.each(mounts)("a comment on $what names a block by the key that its document shows", async (mount) => {
  const { at, pageId, otherPageId, edit } = await furnish(t, mount);
  const post = (target: object) => mount.of(ada).post({ ...at, body: text("Here"), ...target });
  const [words, table] = await keysOf(at, pageId);
  const { id, target } = await post({ page: pageId, node: words });
  expect(target.node).toEqual({ id: words, preview: "Some words" });
  const cell = { record: "r1", definition: "c1" };
  for (const [wrong, path] of [
    [{ page: pageId, node: "nothing" }, "body.node"],
    [{ page: otherPageId, node: words }, "body.node"],
    [{ page: pageId, node: words, tableCell: cell }, "body.tableCell"],
    [{ page: pageId, node: table, tableCell: { ...cell, record: "r2" } }, "body.tableCell"],
    [{ page: pageId, node: table, tableCell: { ...cell, definition: "__proto__" } }, "body.tableCell"],
  ] as const) {
    const refused = { code: "BAD_REQUEST", details: { issues: [{ path }] } };
    await expect(post(wrong)).rejects.toMatchObject(refused);
  }
  const edited = "More.\n\nSome **words**\n\nOther words\n";
  await edit([{ operation: "update_page", page: pageId, document: { markdown: edited } }]);
  const [, still, other] = await keysOf(at, pageId);
  expect(still).toBe(words);
  await edit([{ operation: "update_page", page: pageId, document: { markdown: "Else.\n" } }]);
  expect((await mount.of(ada).get({ ...at, commentId: id })).target.node).toEqual(target.node);
  await expect(post({ page: pageId, node: other })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a node needs its page, a cell its node", async () => {
  const [mount] = mounts;
  const { at, pageId } = await furnish(t, mount);
  const body = text("Here");
  const tableCell = { record: "r", definition: "d" };
  const refusals = [
    [{ node: "n" }, "body.node"],
    [{ tableCell }, "body.tableCell"],
    [{ page: pageId, tableCell }, "body.tableCell"],
  ] as const;
  for (const [loose, path] of refusals)
    await expect(mount.of(ada).post({ ...at, body, ...loose })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      details: { issues: [{ path }] },
    });
  expect((await mount.of(ada).list(at)).count).toBe(0);
});

test.each(mounts)(
  "who reads $what may not write, who did not write may not edit, and strangers see nothing",
  async (mount) => {
    const { at } = await furnish(t, mount);
    const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Mine") });
    const one = { ...at, commentId };
    expect((await mount.of(reader).get(one)).permissions).toEqual({
      ...{ view: true, edit: false, reply: false, delete: false },
    });
    expect((await mount.of(creator).get(one)).permissions).toEqual({
      ...{ view: true, edit: false, reply: true, delete: true },
    });
    const forbidden = { code: "FORBIDDEN" };
    await expect(mount.of(reader).post({ ...at, body: text("x") })).rejects.toMatchObject(forbidden);
    await expect(mount.of(reader).update({ ...one, resolved: true })).rejects.toMatchObject(forbidden);
    await expect(mount.of(reader).update({ ...one, addedReactions: ["👍"] })).rejects.toMatchObject(
      forbidden,
    );
    await expect(mount.of(reader).remove(one)).rejects.toMatchObject(forbidden);
    await expect(mount.of(bob).update({ ...one, body: text("Not mine") })).rejects.toMatchObject(forbidden);
    await expect(mount.of(creator).update({ ...one, body: text("x") })).rejects.toMatchObject(forbidden);
    await expect(mount.of(bob).remove(one)).rejects.toMatchObject(forbidden);
    const unknown = { code: "NOT_FOUND" };
    await expect(mount.of(stranger).list(at)).rejects.toMatchObject(unknown);
    await expect(mount.of(stranger).get(one)).rejects.toMatchObject(unknown);
    await expect(mount.of(stranger).post({ ...at, body: text("x") })).rejects.toMatchObject(unknown);
    await expect(mount.of(stranger).remove(one)).rejects.toMatchObject(unknown);
    expect((await mount.of(ada).get(one)).body).toEqual(text("Mine"));
    await mount.of(creator).remove(one);
    await expect(mount.of(ada).get(one)).rejects.toMatchObject(unknown);
  },
);

test("who wrote a comment and may only read now, may not change it any more", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Mine") });
  const lowered = mount.of(t.as({ acme: "read" }, { id: "ada" }));
  expect((await lowered.get({ ...at, commentId })).permissions).toMatchObject({ edit: false, delete: false });
  await expect(lowered.remove({ ...at, commentId })).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a body comes as markdown or as a document, and is answered as either", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const words = {
    object: "text",
    leaves: [{ object: "leaf", text: "bold", marks: [{ object: "mark", type: "bold" }] }],
  };
  const document = {
    object: "document" as const,
    data: {},
    nodes: [{ object: "block" as const, type: "paragraph", nodes: [words] }],
  };
  const { id, body } = await mount.of(ada).post({ ...at, body: { document } });
  expect(body).toEqual({ markdown: "**bold**\n" });
  const shown = await mount.of(ada).get({ ...at, commentId: id, format: "document" });
  expect(shown.body).toMatchObject({ document: { object: "document", nodes: [{ type: "paragraph" }] } });
  expect(JSON.stringify(shown.body)).toContain('"bold"');
  // The first heading is no title here, as it would be on a page.
  await mount.of(ada).post({ ...at, body: text("# Heading\n\nText") });
  const { items } = await mount.of(ada).list({ ...at, format: "document" });
  expect(items[0]!.body).toMatchObject({
    document: { nodes: [{ type: "heading-1" }, { type: "paragraph" }] },
  });
  const empty = { ...document, nodes: [{ object: "block" as const, type: "paragraph" }] };
  await expect(mount.of(ada).post({ ...at, body: { document: empty } })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: { issues: [{ path: "body.body.document" }] },
  });
  const long = { object: "text", leaves: [{ object: "leaf", text: "x".repeat(65_537), marks: [] }] };
  const tooLong = { ...document, nodes: [{ object: "block" as const, type: "paragraph", nodes: [long] }] };
  await expect(mount.of(ada).post({ ...at, body: { document: tooLong } })).rejects.toThrow("is longer than");
});

const spaceId = "s";
test.each([
  ["nothing", {}],
  ["an empty text", text("")],
  ["blanks", text(" \n\t")],
  ["too much", text("x".repeat(65_537))],
  ["a word", "text"],
  ["both forms", { ...text("x"), document: { object: "document", data: {}, nodes: [] } }],
  ["another form", { html: "<p>" }],
  [
    "an unknown block",
    { document: { object: "document", data: {}, nodes: [{ object: "block", type: "x" }] } },
  ],
])("a body of %s is refused", (_, body) => {
  expect(Post.safeParse({ spaceId, body }).success).toBe(false);
  expect(Update.safeParse({ spaceId, commentId: "c", body }).success).toBe(false);
});

test("the change requests of one space do not see each other's comments", async () => {
  const [, mount] = mounts;
  const { at, spaceId } = await furnish(t, mount);
  const { id: other } = await t.as({ acme: "admin" }).changeRequests.create({ spaceId });
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  expect((await mount.of(ada).list({ ...at, changeRequestId: other })).count).toBe(0);
  await expect(mount.of(ada).get({ ...at, changeRequestId: other, commentId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(mount.of(ada).post({ ...at, changeRequestId: "99", body: text("x") })).rejects.toThrow(
    "Change request: not found",
  );
});

test("reactions are one of each kind for a person, and gone with the last one", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  const one = { ...at, commentId };
  await mount.of(ada).update({ ...one, addedReactions: ["👍", "👍", "🎉"] });
  await mount.of(bob).update({ ...one, addedReactions: ["👍"], removedReactions: ["🎉"] });
  const { reactions, editedAt } = await mount.of(ada).update({ ...one, addedReactions: ["👍"] });
  expect(editedAt).toBeUndefined();
  const by = (id: string) => ({
    user: expect.objectContaining({ id }),
    reactedAt: expect.stringMatching(/Z$/),
  });
  expect(reactions.toSorted((a, b) => b.count - a.count)).toEqual([
    { emoji: "👍", count: 2, users: expect.arrayContaining([by("ada"), by("bob")]) },
    { emoji: "🎉", count: 1, users: [by("ada")] },
  ]);
  const left = await mount.of(ada).update({ ...one, removedReactions: ["🎉", "👍", "👀"] });
  expect(left.reactions).toEqual([{ emoji: "👍", count: 1, users: [by("bob")] }]);
  expect((await mount.of(ada).list(at)).items[0]!.reactions).toEqual(left.reactions);
  await expect(
    mount.of(ada).update({ ...one, addedReactions: ["👍"], removedReactions: ["👍"] }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  for (const addedReactions of [["words"], [""], Array.from({ length: 21 }, () => "👍")])
    await expect(mount.of(ada).update({ ...one, addedReactions })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
});

test("a comment takes so many kinds of reactions and no more", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  const kinds = Array.from({ length: 50 }, (_, index) => (0x1f600 + index).toString(16));
  for (let from = 0; from < 50; from += 20)
    await mount.of(ada).update({ ...at, commentId, addedReactions: kinds.slice(from, from + 20) });
  await mount.of(bob).update({ ...at, commentId, addedReactions: kinds.slice(0, 20) });
  await expect(
    mount.of(bob).update({ ...at, commentId, addedReactions: [kinds[0]!, "👍"] }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST", details: { issues: [{ path: "body.addedReactions" }] } });
  expect((await mount.of(ada).get({ ...at, commentId })).reactions).toHaveLength(50);
});

test("one update does all of it or nothing", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Before") });
  const one = { ...at, commentId };
  const change = { body: text("After"), resolved: true, addedReactions: ["👍"] };
  const before = await mount.of(ada).get(one);
  await expect(mount.of(bob).update({ ...one, ...change })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(mount.of(ada).update({ ...one, ...change, removedReactions: ["👍"] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(await mount.of(ada).get(one)).toEqual(before);
  expect(await mount.of(ada).update({ ...one, ...change })).toMatchObject({
    body: text("After"),
    status: "resolved",
    reactions: [{ emoji: "👍" }],
  });
  expect(await mount.of(ada).update({ ...one, body: text("After") })).toEqual(await mount.of(ada).get(one));
});

test("a service posts nothing: comments are people's", async () => {
  const { createCaller } = await import("../trpc.js");
  const { router } = await import("../router.js");
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const asService = createCaller(router)(t.ctx);
  await expect(mount.of(asService).post({ ...at, body: text("x") })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

test("a comment on a change request and a reply to it are contributions to it", async () => {
  const [, mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  await mount.of(ada).postReply({ ...at, commentId, body: text("x") });
  await mount.of(ada).update({ ...at, commentId, addedReactions: ["👍"], resolved: true });
  const { items } = await reader.contributors.list(at);
  expect(items).toMatchObject([{ user: { id: "ada" }, actionType: "comment", count: 2 }]);
});
