import { inboxTables, outboxTables } from "@octavo/shared/database/shared-tables";
import { type Kysely, sql } from "kysely";

/** Sites, the spaces that they show, and the tables of events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await outboxTables(db);
  await inboxTables(db);
}

const statements = [
  `create table site (
    id text primary key,
    organization text not null,
    type text not null default 'basic',
    title text not null,
    visibility text not null default 'public',
    published boolean not null default false,
    basename text,
    proxy text,
    adaptive_content boolean not null default false,
    agents_context text not null default 'excluded',
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`,
  // Published addresses are matched without regard to case.
  "create unique index site_basename on site (lower(basename))",
  "create index site_listed on site (organization, id)",
  "create index site_published on site (organization, published, id)",
  "create index site_typed on site (organization, type, id)",
  `create table site_space (
    id text primary key,
    site text not null references site (id) on delete cascade,
    organization text not null,
    space text not null,
    path text not null,
    is_default boolean not null default false,
    position double precision not null,
    trashed_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  )`,
  "create unique index site_space_once on site_space (site, space)",
  "create unique index site_space_path on site_space (site, path)",
  "create unique index site_space_default on site_space (site) where is_default",
  "create index site_space_listed on site_space (site, position, id)",
  "create index site_space_space on site_space (space)",
  "create table space_change (space text primary key, changes int not null default 0)",
  "create table unfinished_space (space text primary key, created_at timestamptz(3) not null default now())",
  "create index unfinished_space_age on unfinished_space (created_at)",
];
