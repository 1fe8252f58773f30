import { type Kysely, sql } from "kysely";

/** Finds the pages that declare a source: few of all entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index entry_computed on entry (branch)
    where kind = 'page' and (props ->> 'type') = 'computed'`.execute(db);
}
