import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { rowsRead } from "../../testing/plans.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

const SIZE = 5000;

test("the changes of one edited page, and its conflict, read the same few rows in a space of thousands", async () => {
  const spaceId = await t.space();
  await sql`insert into entry (branch, id, from_seq, kind, position, slug, title, props)
    select ${spaceId}, 'page-' || n, 1, 'page', lpad(n::text, 8, '0'), 'page-' || n, 'Page ' || n,
      '{"type": "document"}' from generate_series(1, ${SIZE}) n`.execute(t.db);
  await sql`analyze entry`.execute(t.db);
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "update_page" as const, page: "page-77", title: "Edited" }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  expect((await admin.changes.ofChangeRequest({ spaceId, changeRequestId })).changes).toHaveLength(1);
  expect(
    await rowsRead(t, (caller) => caller.changes.ofChangeRequest({ spaceId, changeRequestId })),
  ).toBeLessThan(40);
  const other = await admin.changeRequests.create({ spaceId });
  const primary = { spaceId, changeRequestId: other.id };
  await admin.changeRequests.edit({
    ...primary,
    changes: Array.from({ length: 50 }, (_, at) => ({
      operation: "update_page" as const,
      page: `page-${at + 70}`,
      title: "Primary",
    })),
  });
  expect((await admin.changeRequests.merge(primary)).result).toBe("merge");
  const conflicts = (caller: typeof admin) => caller.changes.ofChangeRequest({ spaceId, changeRequestId });
  expect((await conflicts(admin)).conflicts).toHaveLength(1);
  t.base.cache.clear();
  expect(await rowsRead(t, conflicts)).toBeLessThan(60);
  const named = [{ operation: "update_page" as const, page: "page-77" }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: named });
  const { revision: revisionId } = await admin.changeRequests.merge({ spaceId, changeRequestId });
  expect((await admin.changes.ofRevision({ spaceId, revisionId })).changes).toHaveLength(1);
  expect(await rowsRead(t, (caller) => caller.changes.ofRevision({ spaceId, revisionId }))).toBeLessThan(40);
  expect(
    await rowsRead(t, (caller) => caller.revisionContent.pages({ spaceId, revisionId })),
  ).toBeGreaterThan(SIZE - 1);
});
