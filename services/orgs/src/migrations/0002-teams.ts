import { type Kysely, sql } from "kysely";

/** Teams are found by a part of their title, and know how many spaces they hold a grant on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    // in lower case; PostgreSQL's own lower() knows ASCII only under the locale C
    "alter table team add column search_text text not null default ''",
    "update team set search_text = lower(title)",
    "alter table team add column spaces integer not null default 0",
  ])
    await sql.raw(statement).execute(db);
}
