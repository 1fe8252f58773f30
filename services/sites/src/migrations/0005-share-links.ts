import { type Kysely, sql } from "kysely";

/** Secret addresses of a site; a key is found by its hash, and shown from what is sealed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table share_link (
    id text primary key,
    site text not null references site (id) on delete cascade,
    name text not null,
    active boolean not null default true,
    -- sealed
    key text not null,
    key_hash text not null,
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create unique index share_link_key on share_link (site, key_hash)`.execute(db);
  await sql`create index share_link_listed on share_link (site, id)`.execute(db);
}
