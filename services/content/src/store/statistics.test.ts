import { prepareQueue } from "@octavo/shared/jobs/queue";
import { findJob } from "@octavo/shared/testing/jobs";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PageProps } from "../db/tables/entries.js";
import { commitPrimary } from "../revisions/primary.js";
import { contentTest } from "../testing/content.js";
import { analyzeTables, refreshStatistics } from "./statistics.js";
import { type Entry, lockBranch } from "./version.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);
const admin = t.as({ acme: "admin", beta: "admin" });
const MANY = 200;

const waits = async () => (await findJob(t, { key: refreshStatistics.name })) !== undefined;

beforeEach(async () => {
  await sql`select remove_job(${refreshStatistics.name})`.execute(t.db);
});

/** A space whose pages were made by one commit. */
async function spaceOf(pages: number) {
  const space = await t.space();
  const put = Array.from({ length: pages }, (_, page): Entry => {
    const [id, position] = [`${space}${page}`, `a${String(page).padStart(6, "0")}`];
    const nothing = { parent: null, body: null, git_path: null, git_oid: null, updated_at: null };
    const props: PageProps = { type: "document", empty: true };
    const created_at = new Date().toISOString();
    return { ...nothing, id, position, kind: "page", slug: id, title: id, props, created_at };
  });
  await t.db.transaction().execute(async (db) => {
    const ctx = { ...t.ctx, db };
    const head = await lockBranch(ctx, space);
    await commitPrimary(ctx, { space, head, type: "edits", changes: { put, remove: [] } });
  });
  return space;
}

test("a refresh of statistics is queued after a large commit, and not after a small one", async () => {
  await spaceOf(MANY - 1);
  expect(await waits()).toBe(false);
  const space = await spaceOf(MANY);
  expect(await waits()).toBe(true);
  await analyzeTables(t);
  const { rows } = await sql<{
    known: boolean;
  }>`select ${space} = any(most_common_vals::text::text[]) as known
    from pg_stats where schemaname = ${t.schema} and tablename = 'entry' and attname = 'branch'`.execute(
    t.db,
  );
  expect(rows).toEqual([{ known: true }]);
});

test("a refresh of statistics is queued after a large space was copied or transferred", async () => {
  const space = await spaceOf(MANY);
  await sql`select remove_job(${refreshStatistics.name})`.execute(t.db);
  await admin.spaces.duplicate({ spaceId: space });
  expect(await waits()).toBe(true);
  await sql`select remove_job(${refreshStatistics.name})`.execute(t.db);
  await admin.spaces.transfer({ spaceId: space, organization: "beta" });
  expect(await waits()).toBe(true);
});
