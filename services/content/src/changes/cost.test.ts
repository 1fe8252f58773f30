import { type KyselyPlugin, type RootOperationNode, sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { router } from "../router.js";
import { contentTest } from "../testing.js";
import { createCaller } from "../trpc.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** The rows that an operation reads from tables and indexes, in all of its queries. */
async function rowsRead(call: (caller: ReturnType<typeof t.as>) => Promise<unknown>): Promise<number> {
  const nodes: RootOperationNode[] = [];
  const recording: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const ctx = t.context(t.user({ acme: "admin" }));
  await call(createCaller(router)({ ...ctx, db: ctx.db.withPlugin(recording) }));
  let rows = 0;
  for (const node of nodes) {
    const { sql: text, parameters } = t.db.getExecutor().compileQuery(node, { queryId: "explained" });
    const { rows: plans } = await t.db.executeQuery<{ "QUERY PLAN": { Plan: Plan }[] }>({
      ...{ query: node, queryId: { queryId: "explained" }, parameters },
      sql: `explain (analyze, format json) ${text}`,
    });
    rows += rowsOf(plans[0]!["QUERY PLAN"][0]!.Plan);
  }
  return rows;
}

function rowsOf(plan: Plan): number {
  const { Plans: below = [] } = plan;
  if (below.length > 0) return below.reduce((sum, one) => sum + rowsOf(one), 0);
  return (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
}

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
    await rowsRead((caller) => caller.changes.ofChangeRequest({ spaceId, changeRequestId })),
  ).toBeLessThan(40);
  const other = await admin.changeRequests.create({ spaceId });
  const primary = { spaceId, changeRequestId: other.id };
  await admin.changeRequests.edit({
    ...primary,
    changes: Array.from({ length: 50 }, (_, at) => ({
      ...{ operation: "update_page" as const, page: `page-${at + 70}`, title: "Primary" },
    })),
  });
  expect((await admin.changeRequests.merge(primary)).result).toBe("merge");
  const conflicts = (caller: typeof admin) => caller.changes.ofChangeRequest({ spaceId, changeRequestId });
  expect((await conflicts(admin)).conflicts).toHaveLength(1);
  t.base.cache.clear();
  expect(await rowsRead(conflicts)).toBeLessThan(60);
  const named = [{ operation: "update_page" as const, page: "page-77" }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: named });
  const { revision: revisionId } = await admin.changeRequests.merge({ spaceId, changeRequestId });
  expect((await admin.changes.ofRevision({ spaceId, revisionId })).changes).toHaveLength(1);
  expect(await rowsRead((caller) => caller.changes.ofRevision({ spaceId, revisionId }))).toBeLessThan(40);
  expect(await rowsRead((caller) => caller.revisions.pages({ spaceId, revisionId }))).toBeGreaterThan(
    SIZE - 1,
  );
});
