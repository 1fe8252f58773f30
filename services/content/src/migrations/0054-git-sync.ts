import { type Kysely, sql } from "kysely";

/** With which branch a space is kept in step. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table git_sync (
    space text primary key references space (id) on delete cascade,
    -- Sealed: the address may hold credentials; the secret signs what the host of the repository tells.
    settings text not null,
    secret text not null,
    -- The side that the other one takes everything from; null once it did.
    initial text check (initial in ('repository', 'space')),
    -- The change request with what the space changed beside the repository, until it is merged.
    pending text,
    checked_at timestamptz(3),
    created_by text not null
  )`.execute(db);
}
