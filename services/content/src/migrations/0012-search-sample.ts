import { type Kysely, sql } from "kysely";

/** One in eight pages gets the term of the sample, see search/lexemes.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update search_page set terms = terms || array_to_tsvector(array[':space:' || space || ':sample'])
    where md5(page) collate "C" < '2'`.execute(db);
}
