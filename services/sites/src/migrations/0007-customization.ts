import { type Kysely, sql } from "kysely";

/** How sites look, and what their site spaces have otherwise. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table site_customization (
    site text primary key references site (id) on delete cascade,
    settings jsonb not null,
    updated_at timestamptz(3) not null default now()
  )`,
  `create table site_space_customization (
    site_space text primary key references site_space (id) on delete cascade,
    site text not null references site (id) on delete cascade,
    overrides jsonb not null,
    updated_at timestamptz(3) not null default now()
  )`,
  "create index site_space_customization_site on site_space_customization (site)",
  "alter table site_space add column advanced_customization boolean not null default false",
];
