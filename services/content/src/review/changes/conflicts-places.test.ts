import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { type Change, conflictSteps } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open, change, spaceOfPages, conflictsOf, titles, land } = conflictSteps(t);

test("a page that both sides moved stands where the change request puts it at last", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  await change(spaceId, { operation: "insert_page", title: "Gamma", document: {} });
  const gamma = (await admin.content.pages({ spaceId })).pages[2]!.id;
  const one = await open(spaceId, { operation: "update_page", page: alpha, into: beta });
  await change(spaceId, { operation: "update_page", page: alpha, into: gamma });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  await edit(one, { operation: "update_page", page: alpha, into: null, at: 0 });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Alpha", "Beta", "Gamma"]);
});

test.each([
  ["stays deleted when it is deleted again", "delete_page" as const, ["Beta"]],
  ["comes back when it is put back", "revert_page" as const, ["Primary", "Beta"]],
])("a page that was deleted here and edited there %s", async (_, operation, left) => {
  const { spaceId, alpha } = await spaceOfPages();
  const one = await open(spaceId, { operation: "delete_page", page: alpha });
  await change(spaceId, { operation: "update_page", page: alpha, title: "Primary" });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toMatchObject([{ id: alpha, properties: [{ name: "deleted", own: true }] }]);
  await edit(one, { operation, page: alpha });
  await land(one);
  expect(await titles(spaceId)).toEqual(left);
});

test.each<[string, (page: string) => Change, string[]]>([
  [
    "stays when it is edited",
    (page) => ({ operation: "update_page", page, title: "Kept" }),
    ["Kept", "Beta"],
  ],
  ["stays when it is confirmed", (page) => ({ operation: "update_page", page }), ["Own", "Beta"]],
  ["goes when it is deleted", (page) => ({ operation: "delete_page", page }), ["Beta"]],
  ["goes when it is put back", (page) => ({ operation: "revert_page", page }), ["Beta"]],
])("a page that was edited here and deleted there %s", async (_, decision, left) => {
  const { spaceId, alpha } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: alpha, title: "Own" });
  await change(spaceId, { operation: "delete_page", page: alpha });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  await edit(one, decision(alpha));
  await land(one);
  expect((await titles(spaceId)).sort()).toEqual(left.sort());
});

test("what was put under a page meanwhile goes with it, or the page stays", async () => {
  for (const [operation, left] of [
    ["delete_page", ["Beta"]],
    ["revert_page", ["Alpha", "Beta"]],
  ] as const) {
    const { spaceId, alpha } = await spaceOfPages();
    const one = await open(spaceId, { operation: "delete_page", page: alpha });
    await change(
      spaceId,
      { operation: "insert_page", title: "Child", into: alpha, ref: "child", document: {} },
      { operation: "insert_page", title: "Grandchild", into: "child", document: {} },
    );
    expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
    const [{ id: child, ...found } = { id: "" }] = await conflictsOf(one);
    expect(found).toMatchObject({
      title: "Child",
      properties: [{ name: "deleted", primary: false, own: true }],
    });
    await edit(one, { operation, page: operation === "delete_page" ? child : alpha });
    await land(one);
    expect(await titles(spaceId)).toEqual(left);
  }
});

test("a page that a primary's deletion left without a place is moved, and merges", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: beta, into: alpha });
  await change(spaceId, { operation: "delete_page", page: alpha });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toMatchObject([{ id: beta, properties: [{ name: "position" }] }]);
  await edit(one, { operation: "update_page", page: beta, into: null });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Beta"]);
});

test.each<[string, (alpha: string, beta: string) => Change, string[]]>([
  ["stays where it is by its name", (page) => ({ operation: "update_page", page }), ["Alpha"]],
  ["stays when the deletion is confirmed", (_, page) => ({ operation: "delete_page", page }), ["Alpha"]],
  ["goes when it is deleted", (page) => ({ operation: "delete_page", page }), []],
  ["stands where it is moved", (page) => ({ operation: "update_page", page, into: null }), ["Alpha"]],
  ["comes under the page that is put back", (_, page) => ({ operation: "revert_page", page }), ["Beta"]],
])("a page that was moved there under one that is deleted here %s", async (_, decision, left) => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "delete_page", page: beta });
  await change(spaceId, { operation: "update_page", page: alpha, into: beta });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  const [base, primary] = [null, beta].map((parent) => ({ parent, after: null }));
  const properties = [{ name: "position", base, primary, own: base }];
  expect(await conflictsOf(one)).toMatchObject([{ id: alpha, properties }]);
  await edit(one, decision(alpha, beta));
  await land(one);
  expect(await titles(spaceId)).toEqual(left);
});

test("pages that both sides put under each other stand as the change request has them, by the name of its own", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: beta, into: alpha });
  await change(spaceId, { operation: "update_page", page: alpha, into: beta });
  expect(await conflictsOf(one)).toMatchObject([
    { id: beta, properties: [{ name: "position", base: { parent: null }, own: { parent: alpha } }] },
  ]);
  await edit(one, { operation: "update_page", page: beta });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Alpha"]);
});

test("the name of a page that only the primary content moved brings nothing back of what was above it", async () => {
  const { spaceId, alpha, beta: page } = await spaceOfPages();
  await change(spaceId, { operation: "update_page", page, into: alpha });
  const one = await open(spaceId, { operation: "update_page", page, title: "Own" });
  await change(
    spaceId,
    { operation: "update_page", page, into: null, title: "Primary" },
    { operation: "delete_page", page: alpha },
  );
  await edit(one, { operation: "update_page", page });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Own"]);
});

test("a page above that is gone is named, and stays by its name or that of the page below it", async () => {
  for (const named of ["alpha", "beta"] as const) {
    const { spaceId, ...pages } = await spaceOfPages();
    const one = await open(spaceId, { operation: "update_page", page: pages.beta, into: pages.alpha });
    await change(spaceId, { operation: "delete_page", page: pages.alpha });
    expect(await conflictsOf(one)).toMatchObject([{ id: pages.beta, missing: pages.alpha }]);
    await edit(one, { operation: "update_page", page: pages[named] });
    await land(one);
    expect(await titles(spaceId)).toEqual(["Alpha"]);
  }
});
