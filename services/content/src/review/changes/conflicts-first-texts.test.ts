import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { changeRequestsOf, markdown } from "../change-requests/testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, open } = changeRequestsOf(t);

test("a page that had no text shows the texts that both sides gave it", async () => {
  const spaceId = await t.space();
  await sql`insert into entry (branch, id, from_seq, kind, position, slug, title, props)
    values (${spaceId}, 'empty', 1, 'page', 'a0', 'empty', 'Empty', '{"type": "document"}')`.execute(t.db);
  const textOf = (block: string) => ({
    operation: "update_page" as const,
    page: "empty",
    document: markdown("Empty", block),
  });
  const own = await open(spaceId, textOf("Own."));
  await admin.changeRequests.merge(await open(spaceId, textOf("Primary.")));
  const { conflicts } = await admin.changes.ofChangeRequest(own);
  expect(JSON.stringify(conflicts)).toContain("Own.");
  expect(JSON.stringify(conflicts)).toContain("Primary.");
});
