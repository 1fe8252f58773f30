import { connect } from "@octavo/shared/database/connect";
import type { PoolClient } from "pg";
import pg from "pg";
import { createContentCache } from "../cache.js";
import type { Database } from "../db/database.js";
import { router } from "../router.js";
import { createCaller } from "../trpc.js";
import type { contentTest } from "./content.js";
import { type Plan, rowsOf } from "./plans.js";

type Test = Awaited<ReturnType<typeof contentTest>>;
type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** What a statement read under the plan that PostgreSQL makes without looking at the values. */
export interface Read {
  rows: number;
  text: string;
}

/**
 * What each statement of an operation of an administrator reads under its generic plan: the one that PostgreSQL keeps for
 * a named statement after a few runs. Each is explained where it runs, and what that changed is rolled back.
 */
export async function genericReads(
  t: Test,
  call: (caller: ReturnType<Test["as"]>) => Promise<unknown>,
): Promise<Read[]> {
  const reads: Read[] = [];
  const connection = connect<Database>({ url: t.url, schema: t.schema, max: 1 });
  connection.pool.on("connect", (client) => explainFirst(client, reads));
  const ctx = t.context(t.user({ acme: "admin" }));
  try {
    await call(createCaller(router)({ ...ctx, cache: createContentCache(), db: connection.db }));
  } finally {
    await connection.close();
  }
  return reads;
}

/**
 * The statements that an operation of an administrator still has planned anew after so many times, though their names would
 * let PostgreSQL keep a plan.
 */
export async function plannedAnew(
  t: Test,
  call: (caller: ReturnType<Test["as"]>) => Promise<unknown>,
): Promise<string[]> {
  const connection = connect<Database>({ url: t.url, schema: t.schema, max: 1 });
  const ctx = t.context(t.user({ acme: "admin" }));
  const caller = createCaller(router)({ ...ctx, cache: createContentCache(), db: connection.db });
  try {
    // Five plans for the values at hand come before the first one for any.
    for (let times = 0; times < 12; times++) await call(caller);
    const { rows } = await connection.pool.query<{ statement: string }>(
      "select statement from pg_prepared_statements where custom_plans > 6",
    );
    return rows.map(({ statement }) => statement);
  } finally {
    await connection.close();
  }
}

/** Explains what the client is asked, before it runs. */
function explainFirst(client: PoolClient, reads: Read[]): void {
  const run = client.query.bind(client) as unknown as Query;
  const explain: Query = async (text, values) => {
    if (values && /^\s*(select|with|insert|update|delete)\b/i.test(text))
      reads.push({ rows: await rowsExplained(client, run, text, values), text });
    return run(text, values);
  };
  // One after the other: an operation does not wait for all that it sends.
  let last: Promise<unknown> = Promise.resolve();
  const query: Query = (text, values) => {
    const result = last.then(() => explain(text, values));
    last = result.catch(() => undefined);
    return result;
  };
  client.query = query as unknown as PoolClient["query"];
}

async function rowsExplained(client: PoolClient, run: Query, text: string, values: unknown[]) {
  const { getTransactionStatus } = client as PoolClient & { getTransactionStatus: () => string };
  const inside = getTransactionStatus.call(client) === "T";
  await run(inside ? "savepoint explained" : "begin");
  try {
    await run("set local plan_cache_mode = force_generic_plan");
    await run(`prepare explained as ${text}`);
    const given = values.length > 0 ? `(${values.map(literal).join(", ")})` : "";
    const { rows } = await run(`explain (analyze, format json) execute explained ${given}`);
    return rowsOf((rows[0]["QUERY PLAN"] as [{ Plan: Plan }])[0].Plan);
  } finally {
    await run(inside ? "rollback to savepoint explained" : "rollback");
    await run("deallocate explained");
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join(",")}}`);
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  return pg.escapeLiteral(typeof value === "object" ? JSON.stringify(value) : String(value));
}

const element = (value: unknown) =>
  value === null ? "null" : `"${String(value).replaceAll(/["\\]/g, "\\$&")}"`;
