import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
import { BATCH_BYTES } from "./batches.js";
import { mergeBranch } from "./merge-branch.js";
import { lockBranch } from "./version.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

const PAGES = 40;
const text = (page: number, first: string, last: string) => {
  const lines = Array.from({ length: 400 }, (_, at) => `Line ${at} of page ${page} says a little.`);
  return [`# Page ${page}`, first, ...lines, last].join("\n\n");
};

test("a merge of pages that both sides changed holds few of their texts at a time", async () => {
  const spaceId = await t.space();
  const open = async () => ({
    spaceId,
    changeRequestId: (await admin.changeRequests.create({ spaceId })).id,
  });
  const numbers = Array.from({ length: PAGES }, (_, page) => page);
  const first = await open();
  const changes = numbers.map((page) => ({
    operation: "insert_page" as const,
    title: `Page ${page}`,
    document: { markdown: text(page, "First.", "Last.") },
  }));
  await admin.changeRequests.edit({ ...first, changes });
  await admin.changeRequests.merge(first);
  const { pages } = await admin.content.pages({ spaceId });
  const changing = async (first: string, last: string) => {
    const one = await open();
    const changes = pages.map(({ id }, page) => ({
      operation: "update_page" as const,
      page: id,
      document: { markdown: text(page, first, last) },
    }));
    await admin.changeRequests.edit({ ...one, changes });
    return one;
  };
  const [ours, theirs] = [
    await changing("Changed here.", "Last."),
    await changing("First.", "Changed there."),
  ];
  await admin.changeRequests.merge(ours);
  const { ctx, most } = watched(t.ctx);
  const merged = await mergeBranch(ctx, spaceId, await lockBranch(ctx, theirs.changeRequestId));
  if (merged.conflicts) expect.fail("there are conflicts");
  expect(merged.texts.toSorted()).toEqual(
    numbers.map((page) => text(page, "Changed here.", "Changed there.")).toSorted(),
  );
  expect(merged.texts.join("").length).toBeGreaterThan(2 * BATCH_BYTES);
  expect(most.answered).toBeLessThan(1.5 * BATCH_BYTES);
});
