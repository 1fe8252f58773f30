import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const stranger = t.as({ beta: "admin" });

/** A space with one page, and what is needed to change it. */
async function spaceWithPage() {
  const spaceId = await t.space();
  const change = async (changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"]) => {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
    await admin.changeRequests.merge({ spaceId, changeRequestId });
  };
  await change([{ operation: "insert_page", title: "Guide", document: { markdown: "Old.\n" } }]);
  const { pages } = await admin.content.pages({ spaceId });
  const { revision: revisionId } = await admin.spaces.get({ spaceId });
  return { spaceId, pageId: pages[0]!.id, revisionId, change };
}

const markdownOf = (page: object) => (page as { markdown?: string }).markdown;

test("a page that is read again at the same revision is not fetched again", async () => {
  const { spaceId, pageId } = await spaceWithPage();
  const first = await admin.content.page({ spaceId, pageId });
  await t.db.deleteFrom("entry").where("branch", "=", spaceId).execute();
  expect(await admin.content.page({ spaceId, pageId })).toEqual(first);
  const member = t.as({ acme: "read" }, { id: "reader" });
  expect(await member.content.page({ spaceId, pageId })).toEqual(first);
});

test("a merge shows at once, by id and by path, and the earlier revision stays as it was", async () => {
  const { spaceId, pageId, revisionId, change } = await spaceWithPage();
  const read = () =>
    Promise.all([
      admin.content.page({ spaceId, pageId }),
      admin.content.pageAtPath({ spaceId, pagePath: "guide" }),
      admin.revisionContent.page({ spaceId, revisionId, pageId }),
    ]);
  for (const page of await read()) expect(markdownOf(page)).toContain("Old.");
  await change([{ operation: "update_page", page: pageId, document: { markdown: "New.\n" } }]);
  const [byId, byPath, before] = await read();
  expect(markdownOf(byId)).toContain("New.");
  expect(markdownOf(byPath)).toContain("New.");
  expect(markdownOf(before)).toContain("Old.");
});

test("a page that was not there is found once it is, and is gone once it is deleted", async () => {
  const { spaceId, pageId, change } = await spaceWithPage();
  const atPath = () => admin.content.pageAtPath({ spaceId, pagePath: "later" });
  await expect(atPath()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await change([{ operation: "insert_page", title: "Later", document: { markdown: "" } }]);
  expect(await atPath()).toMatchObject({ title: "Later" });
  await admin.content.page({ spaceId, pageId });
  await change([{ operation: "delete_page", page: pageId }]);
  await expect(admin.content.page({ spaceId, pageId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("who may not read the space is refused, whoever read the page before", async () => {
  const { spaceId, pageId } = await spaceWithPage();
  await admin.content.page({ spaceId, pageId });
  await expect(stranger.content.page({ spaceId, pageId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await admin.spaces.remove({ spaceId });
  await expect(admin.content.page({ spaceId, pageId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a page of a change request is read anew each time", async () => {
  const { spaceId, pageId } = await spaceWithPage();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const read = () => admin.changeRequestContent.page({ spaceId, changeRequestId, pageId });
  expect(markdownOf(await read())).toContain("Old.");
  const update = { operation: "update_page", page: pageId, document: { markdown: "Draft.\n" } } as const;
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [update] });
  expect(markdownOf(await read())).toContain("Draft.");
});
