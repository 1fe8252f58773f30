import { type Kysely, sql } from "kysely";

/** How often the audience of a site was narrowed: what renderers were given before, to read with, is worth nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table site add column audience_epoch int not null default 0`.execute(db);
  await sql`create index site_proxy on site ((lower(proxy) collate "C")) where proxy is not null`.execute(db);
}
