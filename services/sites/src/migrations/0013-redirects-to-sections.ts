import { type Kysely, sql } from "kysely";

/** Redirects lead to sections as well, and end with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table site_redirect
    add column site_section text references site_section (id) on delete cascade`.execute(db);
  await sql`create index site_redirect_site_section on site_redirect (site_section)
    where site_section is not null`.execute(db);
}
