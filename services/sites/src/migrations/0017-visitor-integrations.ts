import { type Kysely, sql } from "kysely";

/** Integrations by which visitors of a site can sign in, and the one by which they do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table visitor_integration (
    site text not null references site (id) on delete cascade,
    installation text not null,
    integration text not null,
    -- where visitors are sent
    address text not null,
    -- what it signs their tokens with, sealed; absent until it has another one
    private_key text,
    created_at timestamptz(3) not null default now(),
    primary key (site, installation)
  )`,
  "create index visitor_integration_of on visitor_integration (installation)",
  "alter table publishing_auth add column installation text",
];
