import { type Kysely, sql } from "kysely";

/** How a site finds out who its visitors are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table publishing_auth (
    site text primary key references site (id) on delete cascade,
    backend text not null default 'custom' check (backend in ('custom', 'integration')),
    fallback_url text,
    -- sealed
    private_key text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`.execute(db);
}
