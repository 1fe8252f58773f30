import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Stack } from "./stack.js";

export const SERVICES = ["orgs", "content", "sites", "integrations"] as const;

/** The database of a stack as its administrator sees it, past every service. */
export interface Database {
  /** The rows of a statement; tables are named with their schema, e.g. `content.space`. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** For every table of every service how many rows it has, and a digest of them. */
  dump(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens the embedded PostgreSQL of a stack. */
export function openDatabase({ dataDir, port }: Pick<Stack, "dataDir" | "port">): Database {
  const { postgresPassword } = JSON.parse(readFileSync(join(dataDir, "state.json"), "utf8"));
  const password = encodeURIComponent(postgresPassword);
  const connectionString = `postgres://postgres:${password}@127.0.0.1:${port + POSTGRES_ABOVE}/octavo`;
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on("error", () => undefined);
  const query: Database["query"] = async (sql, values) => (await pool.query(sql, values)).rows as never;
  return { query, dump: () => dump(query), close: () => pool.end() };
}

const POSTGRES_ABOVE = 32;

/** Cursors move and the use of tokens is noted, whatever is written. */
const RESTLESS = ["orgs.token", ...SERVICES.map((service) => `${service}.event_cursor`)];

async function dump(query: Database["query"]) {
  const tables = await query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname = any($1) and schemaname || '.' || tablename <> all($2) order by 1`,
    [SERVICES, RESTLESS],
  );
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by t::text)), '') as rows
       from ${name} t`,
  );
  const rows = await query<{ name: string; rows: string }>(each.join(" union all "));
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}
