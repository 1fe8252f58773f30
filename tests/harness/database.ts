import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { eventually } from "./client.js";
import type { Stack } from "./stack.js";

export const SERVICES = ["orgs", "content", "sites", "integrations"] as const;

/** The database of a stack as its administrator sees it, past every service. */
export interface Database {
  /** The rows of a statement; tables are named with their schema, e.g. `content.space`. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** For every table of every service how many rows it has, and a digest of them. */
  dump(): Promise<Record<string, string>>;
  /** Makes what writes to a table wait, from now on; what reads it goes on. */
  block(table: string): Promise<Block>;
  close(): Promise<void>;
}

export interface Block {
  /** Resolves when a statement with these words has begun and waits. */
  waits(words: string): Promise<void>;
  release(): Promise<void>;
}

/** Opens the embedded PostgreSQL of a stack. */
export function openDatabase({ dataDir, port }: Pick<Stack, "dataDir" | "port">): Database {
  const { postgresPassword } = JSON.parse(readFileSync(join(dataDir, "state.json"), "utf8"));
  const password = encodeURIComponent(postgresPassword);
  const connectionString = `postgres://postgres:${password}@127.0.0.1:${port + POSTGRES_ABOVE}/octavo`;
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on("error", () => undefined);
  const query: Database["query"] = async (sql, values) => (await pool.query(sql, values)).rows as never;
  const block = async (table: string): Promise<Block> => {
    const client = await pool.connect();
    await client.query("begin");
    await client.query(`lock table ${table} in share row exclusive mode`);
    return {
      waits: async (words) =>
        void (await eventually(async () => {
          const waiting = await query(
            `select from pg_locks join pg_stat_activity using (pid)
             where not granted and relation = $1::regclass and query ilike $2`,
            [table, `%${words}%`],
          );
          return waiting.length > 0;
        })),
      release: async () => {
        await client.query("rollback");
        client.release();
      },
    };
  };
  return { query, dump: () => dump(query), block, close: () => pool.end() };
}

const POSTGRES_ABOVE = 32;

/** Cursors move, whatever is written. */
const RESTLESS = SERVICES.map((service) => `${service}.event_cursor`);
/** The use of tokens is noted with them. */
const RESTLESS_COLUMN = "last_used_at";

async function dump(query: Database["query"]) {
  const tables = await query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname = any($1) and schemaname || '.' || tablename <> all($2) order by 1`,
    [SERVICES, RESTLESS],
  );
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(md5(row::text), '' order by row::text)), '') as rows
       from (select to_jsonb(t) - '${RESTLESS_COLUMN}' as row from ${name} t)`,
  );
  const rows = await query<{ name: string; rows: string }>(each.join(" union all "));
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}
