import { type Database, SERVICES } from "../tests/harness/database.js";
import type { Furniture } from "../tests/harness/furnish.js";

/** For every table, digests of the rows that name something of somebody. */
export type Records = Map<string, Set<string>>;

/** They change without anybody's doing: what is on its way between services, and what notes the use of tokens. */
const RESTLESS = ["token", "event_cursor", "outbox", "inbox", "job", "event"];

/** The rows that name the organization of these things, or one of them. */
export async function recordsOf({ query }: Database, things: Furniture): Promise<Records> {
  const tables = await query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname = any($1) and tablename <> all($2) order by 1`,
    [SERVICES, RESTLESS],
  );
  const names = Object.values(things).filter((name) => /^\w{16,}$/.test(name));
  const records: Records = new Map();
  for (const { name } of tables) {
    const rows = await query<{ digest: string }>(
      `select md5(t::text) as digest from ${name} t where t::text ~ $1`,
      [names.join("|")],
    );
    records.set(name, new Set(rows.map(({ digest }) => digest)));
  }
  return records;
}
