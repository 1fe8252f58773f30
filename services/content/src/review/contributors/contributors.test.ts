import { transact } from "@octavo/shared/database/transact";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { contribute } from "./contribute.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.as({ acme: "admin" }, { id: "ada" });
const bob = t.as({ acme: "edit" }, { id: "bob" });
const insert = [{ operation: "insert_page" as const, title: "Page", document: { markdown: "Text." } }];

async function opened() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await ada.changeRequests.create({ spaceId });
  return { spaceId, changeRequestId };
}
const comment = (id: string, who: string) =>
  transact(t.context(t.user({ acme: "comment" }, { id: who })), (ctx) => contribute(ctx, id, "comment"));

test("GET contributors counts edits and comments of each person, and opening is neither", async () => {
  const one = await opened();
  expect(await ada.contributors.list(one)).toEqual({ items: [], count: 0 });
  await bob.changeRequests.edit({ ...one, changes: insert });
  await bob.changeRequests.edit({ ...one, changes: insert });
  await ada.changeRequests.edit({ ...one, changes: insert });
  await comment(one.changeRequestId, "bob");
  const { items } = await ada.contributors.list(one);
  expect(items.map(({ user, actionType, count }) => [user.displayName, actionType, count])).toEqual([
    ["Name of ada", "edit", 1],
    ["Name of bob", "comment", 1],
    ["Name of bob", "edit", 2],
  ]);
  const first = await ada.contributors.list({ ...one, limit: 2 });
  expect(first.count).toBe(3);
  const second = await ada.contributors.list({ ...one, limit: 2, page: first.next!.page });
  expect([...first.items, ...second.items]).toEqual(items);
});

test("contributors are 404 to strangers", async () => {
  const one = await opened();
  const stranger = t.as({ beta: "admin" }, { id: "stranger" });
  await expect(stranger.contributors.list(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(ada.contributors.list({ ...one, changeRequestId: "9" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("edits at the same moment are all counted", async () => {
  const one = await opened();
  await Promise.all(Array.from({ length: 10 }, () => bob.changeRequests.edit({ ...one, changes: insert })));
  expect((await ada.contributors.list(one)).items).toMatchObject([{ user: { id: "bob" }, count: 10 }]);
});

test("change requests are listed by who opened them and by who contributed", async () => {
  const one = await opened();
  const { spaceId } = one;
  const second = await bob.changeRequests.create({ spaceId });
  await bob.changeRequests.edit({ ...one, changes: insert });
  await comment(second.id, "cleo");
  const numbers = async (filter: { creator?: string; contributor?: string }) =>
    (await ada.changeRequests.list({ spaceId, status: "draft", ...filter })).items.map(
      ({ number }) => number,
    );
  expect(await numbers({})).toEqual([2, 1]);
  expect(await numbers({ creator: "bob" })).toEqual([2]);
  expect(await numbers({ contributor: "bob" })).toEqual([1]);
  expect(await numbers({ contributor: "cleo" })).toEqual([2]);
  expect(await numbers({ contributor: "cleo", creator: "ada" })).toEqual([]);
  expect(await numbers({ creator: "nobody" })).toEqual([]);
});
