import { afterAll, expect, test } from "vitest";
import { sweepBodies } from "../../store/sweep.js";
import { contentTest } from "../../testing/content.js";
import { type Change, conflictSteps, document, type Text, textOf } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, change, conflict, conflictsOf, primaryText, land } = conflictSteps(t);

const decisions: [what: string, changes: (page: string) => Change[], merged: Text][] = [
  [
    "the primary's, by putting the page back",
    (page) => [{ operation: "revert_page", page }],
    ["Alpha", "Uno.", "Two.", "Tres."],
  ],
  [
    "the primary's, by its words",
    (page) => [{ operation: "update_page", page, document: document("Alpha", "Uno.", "Two.", "Three.") }],
    ["Alpha", "Uno.", "Two.", "Tres."],
  ],
  [
    "its own, by naming the page",
    (page) => [{ operation: "update_page", page }],
    ["Alpha", "Eins.", "Two.", "Tres."],
  ],
  [
    "its own, by the text that it has",
    (page) => [{ operation: "update_page", page, document: document("Alpha", "Eins.", "Two.", "Three.") }],
    ["Alpha", "Eins.", "Two.", "Tres."],
  ],
  [
    "both, by hand",
    (page) => [
      { operation: "update_page", page, document: document("Alpha", "Eins, uno.", "Two.", "Three.") },
    ],
    ["Alpha", "Eins, uno.", "Two.", "Tres."],
  ],
  [
    "both, one behind the other",
    (page) => [
      { operation: "update_page", page, document: document("Alpha", "Uno.", "Eins.", "Two.", "Three.") },
    ],
    ["Alpha", "Uno.", "Eins.", "Two.", "Tres."],
  ],
  [
    "what was there before",
    (page) => [{ operation: "update_page", page, document: document("Alpha", "One.", "Two.", "Three.") }],
    ["Alpha", "One.", "Two.", "Tres."],
  ],
];

test.each(decisions)(
  "a conflict is decided for %s, and what did not conflict still comes in",
  async (_, changes, merged) => {
    const { spaceId, alpha, one } = await conflict(
      ["Alpha", "Uno.", "Two.", "Tres."],
      ["Alpha", "Eins.", "Two.", "Three."],
    );
    await edit(one, ...changes(alpha));
    expect(await conflictsOf(one)).toEqual([]);
    await land(one);
    expect(await primaryText(spaceId, alpha)).toBe(textOf(merged));
  },
);

test.each(decisions)("decided for %s it merges without an update as well", async (_, changes, merged) => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Three."],
  );
  await edit(one, ...changes(alpha));
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await primaryText(spaceId, alpha)).toBe(textOf(merged));
});

test("an edit that does not touch what is in conflict decides nothing, and loses nothing", async () => {
  const { spaceId, alpha, beta, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Three."],
    ["Alpha", "Eins.", "Two.", "Three."],
  );
  await edit(one, {
    operation: "update_page",
    page: alpha,
    document: document("Alpha", "Eins.", "Two.", "Drei."),
  });
  await edit(one, { operation: "update_page", page: alpha, emoji: "1f600" });
  await edit(one, { operation: "update_page", page: beta });
  expect(await conflictsOf(one)).toMatchObject([
    { id: alpha, blocks: [{ base: "One.\n\n", primary: "Uno.\n\n", own: "Eins.\n\n" }] },
  ]);
  for (const result of [await admin.changeRequests.merge(one), await admin.changeRequests.pull(one)])
    expect(result.result).toBe("conflicts");
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "Uno.", "Two.", "Three."]));
});

test("conflicts are decided one by one; what stays is confirmed by naming the page", async () => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Drei."],
  );
  await edit(one, {
    operation: "update_page",
    page: alpha,
    document: document("Alpha", "1.", "Two.", "Drei."),
  });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ primary: "Tres.\n", own: "Drei.\n" }] }]);
  expect((await admin.changeRequests.pull(one)).result).toBe("conflicts");
  await edit(one, { operation: "update_page", page: alpha });
  await land(one);
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "1.", "Two.", "Drei."]));
});

test("what was decided of a text outlives the sweep of texts, until the change request is updated", async () => {
  const { alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Drei."],
  );
  const wanted = document("Alpha", "1.", "Two.", "Drei.");
  await edit(one, { operation: "update_page", page: alpha, document: wanted });
  const bases = () =>
    t.db.selectFrom("merge_base").select("id").where("change_request", "=", one.changeRequestId);
  const texts = () => t.db.selectFrom("body").select("markdown").where("space", "=", one.spaceId).execute();
  const sweep = async () => {
    const later = new Date(Date.now() + 30 * 24 * 3_600_000);
    while ((await sweepBodies({ ...t.ctx, clock: () => later }, 1000)) > 0);
    return (await texts()).map(({ markdown }) => markdown);
  };
  const ancestor = textOf(["Alpha", "Uno.", "Two.", "Three."]);
  const before = await conflictsOf(one);
  expect(before).toHaveLength(1);
  expect(await sweep()).toContain(ancestor);
  expect(await conflictsOf(one)).toEqual(before);
  await edit(one, { operation: "update_page", page: alpha });
  await land(one);
  expect(await bases().execute()).toEqual([]);
  expect(await sweep()).not.toContain(ancestor);
});

test("one request can decide a part by its words and confirm the rest", async () => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Drei."],
  );
  await edit(
    one,
    { operation: "update_page", page: alpha, document: document("Alpha", "1.", "Two.", "Drei.") },
    { operation: "update_page", page: alpha },
  );
  await land(one);
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "1.", "Two.", "Drei."]));
});

test("a decision holds until the primary content changes that part again; other parts still come in", async () => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Three."],
    ["Alpha", "Eins.", "Two.", "Three."],
  );
  await edit(one, { operation: "update_page", page: alpha });
  const primary = (...text: Text) =>
    change(spaceId, { operation: "update_page", page: alpha, document: document(...text) });
  await primary("Alpha", "Uno.", "Two.", "Tres.");
  expect((await admin.changeRequests.pull(one)).result).toBe("update");
  await primary("Alpha", "Un.", "Two.", "Tres.");
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toMatchObject([
    { blocks: [{ base: "Uno.\n\n", primary: "Un.\n\n", own: "Eins.\n\n" }] },
  ]);
  await edit(one, { operation: "update_page", page: alpha });
  await primary("Alpha", "Un!", "Two.", "Tres.");
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  await edit(one, { operation: "update_page", page: alpha });
  await land(one);
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "Eins.", "Two.", "Tres."]));
});
