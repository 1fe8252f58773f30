import { type Kysely, sql } from "kysely";

/** Sections and groups of sections, former addresses, and the version of a site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table site add column version int not null default 1",
  `create table section_group (
    id text primary key,
    site text not null references site (id) on delete cascade,
    organization text not null,
    parent text references section_group (id) on delete set null,
    title text not null,
    icon text,
    position double precision not null,
    created_at timestamptz(3) not null default now()
  )`,
  "create index section_group_listed on section_group (site, position, id)",
  "create index section_group_parent on section_group (parent)",
  `create table site_section (
    id text primary key,
    site text not null references site (id) on delete cascade,
    organization text not null,
    section_group text references section_group (id) on delete set null,
    title text not null,
    icon text,
    description text,
    path text not null,
    condition text,
    is_default boolean not null default false,
    position double precision not null,
    created_at timestamptz(3) not null default now()
  )`,
  "create index site_section_listed on site_section (site, position, id)",
  "create index site_section_group on site_section (section_group)",
  "create unique index site_section_default on site_section (site) where is_default",
  "create unique index site_section_path on site_section (site, lower(path))",
  "alter table site_space add column section text references site_section (id) on delete cascade",
  "alter table site_space add column condition text",
  "create index site_space_section on site_space (section)",
  // Paths and defaults are among the site spaces of one section now.
  "drop index site_space_path",
  "drop index site_space_default",
  "create unique index site_space_sibling_path on site_space (site, coalesce(section, ''), lower(path))",
  "create unique index site_space_sibling_default on site_space (site, coalesce(section, '')) where is_default",
  `create table former_path (
    site text not null references site (id) on delete cascade,
    path text not null,
    section text references site_section (id) on delete cascade,
    site_space text references site_space (id) on delete cascade,
    created_at timestamptz(3) not null default now(),
    primary key (site, path),
    check (num_nonnulls(section, site_space) = 1)
  )`,
  "create index former_path_age on former_path (site, created_at, path)",
  "create index former_path_section on former_path (section)",
  "create index former_path_site_space on former_path (site_space)",
];
