import { type Kysely, sql } from "kysely";

/** The sites of organizations, as sites reports them, including those that were there before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table site (
      id text primary key,
      organization text not null,
      -- what the site has the tokens of its visitors signed with, sealed; null where it asks no visitor for one
      visitor_key text
    )`,
    "create index organization_default_site on organization (default_site) where default_site is not null",
    "drop table visitor_auth",
  ])
    await sql.raw(statement).execute(db);
}
