import { type Kysely, sql } from "kysely";

/** Where the ads of a site stand; null before anybody asked for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table site add column ads jsonb`.execute(db);
}
