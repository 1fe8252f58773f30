import { afterAll, expect, test } from "vitest";
import { type Change, conflictSteps } from "../review/changes/testing.js";
import { contentTest } from "../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, open, change, conflictsOf, spaceOfPages, titles } = conflictSteps(t);

const under = (into: string, title: string): Change => ({
  operation: "insert_page",
  title,
  into,
  document: {},
});
const childrenOf = async (spaceId: string, parent: string) => {
  const { pages } = await admin.content.pages({ spaceId });
  const found = pages.find(({ id }) => id === parent) as { pages?: { id: string; title: string }[] };
  return found.pages ?? [];
};

test("a page is removed together with the pages below it that the change request removes or moves away", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  await change(spaceId, under(alpha, "Removed"), under(alpha, "Moved"));
  const [removed, moved] = await childrenOf(spaceId, alpha);
  const one = await open(
    spaceId,
    { operation: "delete_page", page: removed!.id },
    { operation: "update_page", page: moved!.id, into: beta },
    { operation: "delete_page", page: alpha },
  );
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await titles(spaceId)).toEqual(["Beta"]);
  expect((await childrenOf(spaceId, beta)).map(({ title }) => title)).toEqual(["Moved"]);
});

test("pages that both sides put under each other miss no page above them", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: beta, into: alpha });
  await change(spaceId, { operation: "update_page", page: alpha, into: beta });
  const [conflict] = await conflictsOf(one);
  expect(conflict).toMatchObject({ id: beta });
  expect(conflict!.missing).toBeUndefined();
});

test("a page below pages that both sides put under each other is in conflict, too", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(
    spaceId,
    { operation: "update_page", page: beta, into: alpha },
    under(beta, "Below"),
  );
  await change(spaceId, { operation: "update_page", page: alpha, into: beta });
  const found = await conflictsOf(one);
  expect(found.map(({ title }) => title).toSorted()).toEqual(["Below", "Beta"]);
});

test("places are compared once all pages combine", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  await change(spaceId, under(beta, "Child"));
  const [child] = await childrenOf(spaceId, beta);
  const one = await open(
    spaceId,
    { operation: "update_page", page: alpha, title: "Own" },
    { operation: "update_page", page: child!.id, into: null },
    under(beta, "New"),
  );
  await change(
    spaceId,
    { operation: "update_page", page: alpha, title: "Primary" },
    { operation: "update_page", page: child!.id, into: alpha },
    { operation: "delete_page", page: beta },
  );
  const titlesInConflict = async () => (await conflictsOf(one)).map(({ title }) => title).toSorted();
  expect(await titlesInConflict()).toEqual(["Child", "Own"]);
});

test("conflicts of places are listed by the ids of pages, each page once", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  await change(spaceId, ...Array.from({ length: 6 }, (_, at) => under(beta, `Old ${at}`)));
  const old = await childrenOf(spaceId, beta);
  const one = await open(
    spaceId,
    ...old.map(({ id }): Change => ({ operation: "update_page", page: id, into: alpha })),
    { operation: "delete_page", page: beta },
  );
  await change(spaceId, ...Array.from({ length: 6 }, (_, at) => under(beta, `New ${at}`)), {
    operation: "delete_page",
    page: alpha,
  });
  const found = ((await admin.changes.ofChangeRequest({ ...one, limit: 50 })).conflicts ?? []).map(
    ({ id }) => id,
  );
  expect(found).toHaveLength(12);
  expect(found).toEqual(found.toSorted());
});
