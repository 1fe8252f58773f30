import { type Kysely, sql } from "kysely";

/** Imports of what lies at addresses, each the state of a job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table content_import (
    id text primary key,
    space text not null references space (id) on delete cascade,
    change_request text,
    page text,
    source text not null,
    -- Of the address only the host: the rest may hold secrets.
    host text not null,
    state text not null default 'pending' check (state in ('pending', 'in-progress', 'completed', 'failed')),
    -- Sealed: the address, and who asked; empty once it has ended.
    request text not null,
    created_by text not null,
    revision text,
    imported int not null default 0,
    total int not null default 0,
    skipped jsonb,
    -- Why it failed: the code, the words and the reason of a refusal.
    error jsonb,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    completed_at timestamptz(3)
  )`.execute(db);
  await sql`create index content_import_space on content_import (space, id)`.execute(db);
  await sql`create index content_import_open on content_import (space) where completed_at is null`.execute(
    db,
  );
}
