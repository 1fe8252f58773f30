import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { type Change, changeRequestsOf } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open } = changeRequestsOf(t);

const MOST = 32;
const DEEP = /^body\.changes\.\d+: Page: pages nest at most 32 deep$/;

/** Pages each under the one before: `name1`, `name2`… */
const chain = (name: string, length: number, into?: string): Change[] =>
  Array.from({ length }, (_, at) => ({
    operation: "insert_page",
    title: `${name}${at + 1}`,
    ref: `${name}${at + 1}`,
    into: at === 0 ? into : `${name}${at}`,
    document: {},
  }));

interface Nested {
  id: string;
  title: string;
  pages?: Nested[];
}
const flat = (pages: Nested[]): Nested[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/** A space with these chains of pages; returns their ids by title. */
async function spaceOf(...chains: Change[][]) {
  const spaceId = await t.space();
  for (const changes of chains) {
    const one = await open(spaceId);
    await edit(one, ...changes);
    await admin.changeRequests.merge(one);
  }
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, ids: new Map(flat(pages as Nested[]).map(({ id, title }) => [title, id])) };
}

test("pages nest 32 deep, and an insert, a move or a revert that would nest them deeper is refused", async () => {
  const { spaceId, ids } = await spaceOf(chain("a", MOST), chain("b", 2));
  const one = await open(spaceId);
  const id = (title: string) => ids.get(title)!;
  const move = (title: string, into: string | null): Change => ({
    operation: "update_page",
    page: id(title),
    into: into && id(into),
  });
  for (const changes of [
    chain("c", 1, id(`a${MOST}`)),
    chain("c", 2, id(`a${MOST - 1}`)),
    [move("b1", "a31")],
    [move("b2", null), move("a1", "b2")],
  ])
    await expect(edit(one, ...changes)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(DEEP),
    });
  await expect(edit(one, move("a1", `a${MOST}`))).rejects.toMatchObject({
    message: expect.stringContaining("under itself"),
  });
  await edit(one, move("b1", "a30"));
});

test("what a change moves brings along what is below it, for the changes after it", async () => {
  const { spaceId, ids } = await spaceOf(chain("a", 2), chain("b", 3));
  const one = await open(spaceId);
  const id = (title: string) => ids.get(title)!;
  const move = (title: string, into: string): Change => ({
    operation: "update_page",
    page: id(title),
    into: id(into),
  });
  await expect(edit(one, move("b1", "a2"), move("a1", "b3"))).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: `body.changes.1: Page: ${id("a1")} can not go under itself`,
  });
  await edit(one, move("b1", "a2"), { operation: "delete_page", page: id("a1") });
  expect((await admin.changeRequestContent.pages(one)).pages).toEqual([]);
  expect(await admin.changes.ofChangeRequest({ ...one, limit: 50 })).toMatchObject({
    changes: { length: 5 },
  });
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect((await admin.content.pages({ spaceId })).pages).toEqual([]);
});

test("a revert that would nest pages too deep is refused", async () => {
  const { spaceId, ids } = await spaceOf(chain("a", 30), chain("b", 1));
  const one = await open(spaceId);
  const page = ids.get("a30")!;
  await edit(one, { operation: "update_page", page, into: null }, ...chain("c", 3, page));
  await expect(edit(one, { operation: "revert_page", page })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringMatching(DEEP),
  });
});

test("deleting the top of the longest chain removes all of it", async () => {
  const { spaceId, ids } = await spaceOf(chain("a", MOST));
  const one = await open(spaceId);
  await edit(one, { operation: "delete_page", page: ids.get("a1")! });
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect((await admin.content.pages({ spaceId })).pages).toEqual([]);
});

test("a merge sees that a page it moves and one that it edits below it are nested too deep", async () => {
  const { spaceId, ids } = await spaceOf(chain("a", 20), chain("b", 10));
  const id = (title: string) => ids.get(title)!;
  const one = await open(spaceId);
  await edit(
    one,
    { operation: "update_page", page: id("b1"), into: id("a20") },
    { operation: "update_page", page: id("b10"), title: "Deepest" },
  );
  const other = await open(spaceId);
  await edit(other, ...chain("c", 3), { operation: "update_page", page: id("a1"), into: "c3" });
  await admin.changeRequests.merge(other);
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect((await admin.changes.ofChangeRequest(one)).conflicts).toMatchObject([{ id: id("b1") }]);
});

test("a merge that would nest pages too deep is a conflict about their place, until they are moved", async () => {
  const { spaceId, ids } = await spaceOf(chain("a", 20), chain("b", 10));
  const one = await open(spaceId);
  const page = ids.get("b1")!;
  await edit(one, { operation: "update_page", page, into: ids.get("a20")! });
  const other = await open(spaceId);
  await edit(other, ...chain("c", 5, ids.get("b10")!));
  await admin.changeRequests.merge(other);
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect((await admin.changeRequests.pull(one)).result).toBe("conflicts");
  expect((await admin.changes.ofChangeRequest(one)).conflicts).toMatchObject([
    { id: page, properties: [{ name: "position" }] },
  ]);
  await edit(one, { operation: "update_page", page, into: ids.get("a10")! });
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
});
