import { transact } from "@octavo/shared/database/transact";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { allowPendingEntries } from "./waiting.js";

const t = await contentTest();
afterAll(t.drop);

const limit = async ({ db }: Pick<typeof t.ctx, "db">) => {
  const { rows } = await sql<{ gin_pending_list_limit: string }>`show gin_pending_list_limit`.execute(db);
  return rows[0]!.gin_pending_list_limit;
};

test("more waits for the index of pages while an import lasts, and the index sets no limit of its own", async () => {
  const before = await limit(t.ctx);
  const during = await transact(t.ctx, async (ctx) => {
    await allowPendingEntries(ctx);
    return limit(ctx);
  });
  expect([before, during, await limit(t.ctx)]).toEqual([before, "2MB", before]);
  const { rows } = await sql<{ reloptions: string[] | null }>`
    select reloptions from pg_class where oid = 'search_page_terms'::regclass`.execute(t.ctx.db);
  expect(rows[0]!.reloptions ?? []).toEqual([]);
});
