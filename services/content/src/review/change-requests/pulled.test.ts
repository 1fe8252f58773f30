import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { changeRequestsOf, markdown } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open, spaceWith } = changeRequestsOf(t);

/** A change request that decided a conflict about the first block of a page, and has pulled since. */
async function decidedAndPulled() {
  const { spaceId, pages } = await spaceWith("Guide");
  const page = pages[0]!.id;
  const textOf = (...blocks: string[]) => ({
    operation: "update_page" as const,
    page,
    document: markdown("Guide", ...blocks),
  });
  const merged = async (...blocks: string[]) =>
    admin.changeRequests.merge(await open(spaceId, textOf(...blocks)));
  const own = await open(spaceId, textOf("Own.", "Two.", "Three."));
  await merged("Primary.", "Two.", "Three.");
  expect((await admin.changeRequests.pull(own)).result).toBe("conflicts");
  await edit(own, textOf("Own, decided.", "Two.", "Three."));
  await merged("Primary.", "Two.", "Edited.");
  expect((await admin.changeRequests.pull(own)).result).toBe("update");
  const shown = async () =>
    (
      (await admin.changeRequestContent.page({ ...own, pageId: page, format: "markdown" })) as {
        markdown: string;
      }
    ).markdown;
  const primary = async () =>
    ((await admin.content.page({ spaceId, pageId: page, format: "markdown" })) as { markdown: string })
      .markdown;
  return { own, merged, shown, primary };
}

test("what the primary content takes back after a decided conflict was pulled stays taken back", async () => {
  const { own, merged, shown, primary } = await decidedAndPulled();
  expect(await shown()).toBe(markdown("Guide", "Own, decided.", "Two.", "Edited.").markdown);
  await merged("Primary.", "Two.", "Three.");
  expect((await admin.changeRequests.pull(own)).result).toBe("update");
  expect(await shown()).toBe(markdown("Guide", "Own, decided.", "Two.", "Three.").markdown);
  expect((await admin.changeRequests.merge(own)).result).toBe("merge");
  expect(await primary()).toBe(markdown("Guide", "Own, decided.", "Two.", "Three.").markdown);
});
