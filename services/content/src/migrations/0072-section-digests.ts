import { type Kysely, sql } from "kysely";

/** What a section is compared by with what is in the index, so that only those of a page are written that are others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table search_section add column digest text`.execute(db);
}
