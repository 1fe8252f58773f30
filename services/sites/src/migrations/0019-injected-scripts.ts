import { type Kysely, sql } from "kysely";

/** Scripts that installations of integrations put into the pages of sites, as integrations hands them down. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table injected_script (
    installation text primary key,
    organization text not null,
    integration text not null,
    content_security_policy text,
    cookies boolean not null,
    -- on all sites of the organization but those that say otherwise
    everywhere boolean not null
  )`,
  "create index injected_script_organization on injected_script (organization)",
  `create table injected_script_place (
    site text not null references site (id) on delete cascade,
    installation text not null references injected_script (installation) on delete cascade,
    works boolean not null,
    primary key (site, installation)
  )`,
  "create index injected_script_place_of on injected_script_place (installation)",
];
