import { type Kysely, sql } from "kysely";

/** What visitors of sites do. Events are only added; no lock of a site keeps them waiting, so they refer to none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table insights_event (
    site text not null,
    occurred_at timestamptz(3) not null,
    id text not null,
    type text not null,
    visitor text not null,
    session text not null,
    url text not null,
    site_section text,
    site_space text,
    share_key text,
    space text,
    revision text,
    page text,
    language text,
    device text not null,
    browser text not null,
    os text not null,
    bot text,
    referrer text not null,
    referrer_domain text not null,
    utm_source text not null,
    utm_medium text not null,
    utm_campaign text not null,
    utm_term text not null,
    utm_content text not null,
    claims jsonb not null,
    details jsonb not null,
    -- Begins with what every question names, and holds the time, by which the table can be cut into partitions.
    primary key (site, occurred_at, id)
  )`,
  "create index insights_event_age on insights_event (occurred_at)",
];
