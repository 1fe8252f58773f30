import { afterAll, expect, test } from "vitest";
import { conflictSteps } from "../review/changes/testing.js";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
import { BATCH_BYTES } from "./batches.js";
import { mergeBranch } from "./merge-branch.js";
import { lockBranch } from "./version.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open, change, conflict, spaceOfPages } = conflictSteps(t);

/** What a merge would make of a change request now. */
const mergeOf = async ({ spaceId, changeRequestId }: Awaited<ReturnType<typeof open>>) =>
  mergeBranch(t.ctx, spaceId, await lockBranch(t.ctx, changeRequestId));

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
  expect(most.returned).toBeLessThan(1.5 * BATCH_BYTES);
});

test("a page that the primary content put below one that is removed is in conflict, with what each side has of it", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  await change(spaceId, { operation: "insert_page", title: "Child", into: beta, document: {} });
  const { pages } = await admin.content.pages({ spaceId });
  const child = (pages[1] as { pages?: { id: string }[] }).pages![0]!.id;
  const one = await open(
    spaceId,
    { operation: "update_page", page: child, title: "Own" },
    { operation: "delete_page", page: alpha },
  );
  await change(spaceId, { operation: "update_page", page: child, into: alpha });
  expect((await mergeOf(one)).conflicts).toMatchObject([
    {
      id: child,
      properties: ["position"],
      sides: {
        base: { parent: beta, title: "Child" },
        primary: { parent: alpha, title: "Child" },
        own: { parent: beta, title: "Own" },
      },
    },
  ]);
});

test("a merge returns whether conflicts were decided for it", async () => {
  const { spaceId, beta, alpha, one } = await conflict(["Alpha", "Primary."], ["Alpha", "Own."]);
  await edit(one, { operation: "update_page", page: alpha });
  expect(await mergeOf(one)).toMatchObject({ hasDecisions: true });
  const other = await open(spaceId, { operation: "update_page", page: beta, title: "New" });
  expect(await mergeOf(other)).toMatchObject({ hasDecisions: false, outcomes: [{ id: beta }] });
});
