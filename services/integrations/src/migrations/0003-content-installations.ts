import { type Kysely, sql } from "kysely";

/** Installations on single spaces and sites, and the order in which an installation receives its events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table content_installation (
    id text primary key,
    integration text not null references integration (id) on delete cascade,
    installation text not null references installation (id) on delete cascade,
    organization text not null,
    -- space or site
    kind text not null,
    -- the id of the space or site
    content text not null,
    status text not null,
    configuration jsonb not null default '{}',
    external_ids text[] not null default '{}',
    -- sealed
    signing_secret text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    deleted_at timestamptz(3)
  )`,
  `create unique index content_installation_once on content_installation (installation, kind, content)
    where deleted_at is null`,
  `create index content_installation_listed on content_installation (integration, kind, id)
    where deleted_at is null`,
  `create index content_installation_of on content_installation (installation, kind, id)
    where deleted_at is null`,
  "create index content_installation_at on content_installation (kind, content) where deleted_at is null",
  "create index content_installation_external_ids on content_installation using gin (external_ids)",
  // The installation on one space or site that an event is about; it outlives it, so it is no reference.
  "alter table event add column content_installation text",
  "create index event_waiting_in on event (installation, id) where status is null",
];
