import { type Kysely, sql } from "kysely";

/** Redirects of sites. One that leads to content ends with the site space in which the content is shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table site_redirect (
    id text primary key,
    site text not null references site (id) on delete cascade,
    source text not null,
    source_key text not null,
    kind text not null check (kind in ('site-section', 'site-space', 'site-page', 'path', 'url')),
    site_space text references site_space (id) on delete cascade,
    page text,
    address text,
    created_at timestamptz(3) not null default now()
  )`,
  "create unique index site_redirect_source on site_redirect (site, source_key)",
  "create index site_redirect_addresses on site_redirect (site) where address is not null",
  "create index site_redirect_site_space on site_redirect (site_space) where site_space is not null",
];
