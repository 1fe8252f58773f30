import { type Kysely, sql } from "kysely";

/** Which claims visitors of a site may make. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table adaptive_schema (
    site text primary key references site (id) on delete cascade,
    -- as it was sent, in its order
    json_schema json not null,
    updated_at timestamptz(3) not null default now()
  )`.execute(db);
}
