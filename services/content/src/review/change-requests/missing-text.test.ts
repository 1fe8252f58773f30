import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { changeRequestsOf, markdown } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open, spaceWith } = changeRequestsOf(t);

/** A change request and the primary content, which both changed a page whose first text the store has lost. */
async function withLostText() {
  const { spaceId, pages } = await spaceWith("Guide");
  const page = pages[0]!.id;
  const { body: lost } = await t.db
    .selectFrom("entry")
    .select("body")
    .where("branch", "=", spaceId)
    .where("id", "=", page)
    .where("to_seq", "is", null)
    .executeTakeFirstOrThrow();
  const { revision: first } = await admin.spaces.get({ spaceId });
  const textOf = (...blocks: string[]) => ({
    operation: "update_page" as const,
    page,
    document: markdown("Guide", ...blocks),
  });
  const own = await open(spaceId, textOf("Own.", "Two.", "Three."));
  await admin.changeRequests.merge(await open(spaceId, textOf("One.", "Two.", "Primary.")));
  await t.db.deleteFrom("body").where("space", "=", spaceId).where("hash", "=", lost!).execute();
  return { spaceId, page, own, first };
}

test("a merge that needs a text which is missing fails, and makes nothing of it", async () => {
  const { spaceId, own } = await withLostText();
  const { revision } = await admin.spaces.get({ spaceId });
  await expect(admin.changeRequests.merge(own)).rejects.toThrow("is missing");
  await expect(admin.changeRequests.pull(own)).rejects.toThrow("is missing");
  expect(await admin.spaces.get({ spaceId })).toMatchObject({ revision });
});

test("blocks are not put back from a text that is missing", async () => {
  const { page, own, first } = await withLostText();
  const block = "any";
  const revert = { operation: "revert_page" as const, page, revision: first, block: [block] };
  await expect(edit(own, revert)).rejects.toThrow("is missing");
});
