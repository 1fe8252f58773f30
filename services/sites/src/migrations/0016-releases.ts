import { type Kysely, sql } from "kysely";

/** Releases of a site: the revision that each of its spaces had, and the release that readers are shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table site_release (
    id text primary key,
    site text not null references site (id) on delete cascade,
    organization text not null,
    title text not null,
    shown int,
    created_by text,
    created_at timestamptz(3) not null default now()
  )`,
  "create index site_release_listed on site_release (site, id)",
  `create table site_release_space (
    release text not null references site_release (id) on delete cascade,
    space text not null,
    revision text not null,
    primary key (release, space)
  )`,
  "alter table site add column release text references site_release (id) on delete set null",
  "create index site_release_pinned on site (release) where release is not null",
];
