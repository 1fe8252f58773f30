import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { type At, furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.as({ acme: "comment" }, { id: "ada" });
const reader = t.as({ acme: "read" }, { id: "reader" });

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
