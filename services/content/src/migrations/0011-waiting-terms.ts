import { type Kysely, sql } from "kysely";

/** How much may wait to be put into the index of pages is up to each session: an import lets more wait than an edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter index search_page_terms reset (gin_pending_list_limit)`.execute(db);
}
