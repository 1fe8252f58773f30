import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { conflictSteps, document, textOf } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open, change, spaceOfPages, conflictsOf, primaryText, titles, land } = conflictSteps(t);

const both = async () => {
  const { spaceId, alpha } = await spaceOfPages();
  const own = document("Alpha", "Eins.", "Two.", "Three.");
  const one = await open(spaceId, { operation: "update_page", page: alpha, document: own });
  const primary = document("Alpha", "Uno.", "Two.", "Three.");
  await change(spaceId, { operation: "update_page", page: alpha, document: primary });
  return { spaceId, alpha, one, own };
};

test("what can be read is decided without a merge before: by naming the page alone, or putting it back", async () => {
  for (const [operation, block] of [
    ["update_page", "Eins."],
    ["revert_page", "Uno."],
  ] as const) {
    const { spaceId, alpha, one } = await both();
    await edit(one, { operation, page: alpha });
    await land(one);
    expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", block, "Two.", "Three."]));
  }
});

test("an edit by hand and the name of the page decide at once; the next change of that part is a conflict again", async () => {
  const { spaceId, alpha: page, one } = await both();
  await edit(
    one,
    { operation: "update_page", page, document: document("Alpha", "Eins, uno.", "Two.", "Three.") },
    { operation: "update_page", page },
  );
  expect(await conflictsOf(one)).toEqual([]);
  await change(spaceId, {
    operation: "update_page",
    page,
    document: document("Alpha", "Un.", "Two.", "Three."),
  });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ base: "Uno.\n\n", primary: "Un.\n\n" }] }]);
});

test("a conflict that was not reported is not decided, neither by another edit nor by the same text again", async () => {
  const { alpha: page, one, own } = await both();
  await edit(one, { operation: "update_page", page, document: own });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ primary: "Uno.\n\n", own: "Eins.\n\n" }] }]);
  const other = document("Alpha", "Zwei.", "Two.", "Three.");
  await edit(one, { operation: "update_page", page, document: other });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ primary: "Uno.\n\n", own: "Zwei.\n\n" }] }]);
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
});

test("a removal is confirmed once the primary content changed the page; before, there is nothing to remove", async () => {
  const { spaceId, alpha: page } = await spaceOfPages();
  const one = await open(spaceId, { operation: "delete_page", page });
  const gone = { code: "NOT_FOUND" };
  await expect(edit(one, { operation: "delete_page", page })).rejects.toMatchObject(gone);
  await change(spaceId, { operation: "update_page", page, title: "Primary" });
  expect(await conflictsOf(one)).toHaveLength(1);
  await edit(one, { operation: "delete_page", page });
  await expect(edit(one, { operation: "delete_page", page: "nothing" })).rejects.toMatchObject(gone);
  await land(one);
  expect(await titles(spaceId)).toEqual(["Beta"]);
});
