import { type KyselyPlugin, type RootOperationNode, sql } from "kysely";
import { createContentCache } from "../cache.js";
import { router } from "../router.js";
import { createCaller } from "../trpc.js";
import type { contentTest } from "./content.js";

type Test = Awaited<ReturnType<typeof contentTest>>;

export interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Plan[];
}

/** The rows that an operation of an administrator reads from tables and indexes, or compares, in all of its queries. */
export async function rowsRead(
  t: Test,
  call: (caller: ReturnType<Test["as"]>) => Promise<unknown>,
): Promise<number> {
  const nodes: RootOperationNode[] = [];
  const recording: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const ctx = t.context(t.user({ acme: "admin" }));
  const db = ctx.db.withPlugin(recording);
  await call(createCaller(router)({ ...ctx, cache: createContentCache(), db }));
  let rows = 0;
  for (const node of nodes) {
    const { sql: text, parameters } = t.db.getExecutor().compileQuery(node, { queryId: "explained" });
    const { rows: plans } = await t.db.executeQuery<{ "QUERY PLAN": { Plan: Plan }[] }>({
      query: node,
      queryId: { queryId: "explained" },
      parameters,
      sql: `explain (analyze, format json) ${text}`,
    });
    rows += rowsOf(plans[0]!["QUERY PLAN"][0]!.Plan);
  }
  return rows;
}

export function rowsOf(plan: Plan): number {
  const { Plans: below = [], "Actual Loops": loops } = plan;
  const compared = (plan["Rows Removed by Join Filter"] ?? 0) * loops;
  if (below.length > 0) return below.reduce((sum, one) => sum + rowsOf(one), compared);
  return (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * loops;
}

/** Lets the planner know no more of these tables than it does now, however much they grow. */
export async function freezeStatistics({ db }: Test, tables: string[]): Promise<void> {
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db);
  for (const table of tables)
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
}
