import { type Kysely, sql } from "kysely";

/** Finds the pages that had a place and a slug in earlier revisions; case counts for nothing in addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index entry_former on entry (branch, parent, lower(slug), to_seq)
    where kind = 'page' and to_seq is not null and slug is not null`.execute(db);
}
