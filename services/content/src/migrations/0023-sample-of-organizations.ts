import { type Kysely, sql } from "kysely";

/** The pages in the sample of their space get the term of the organization's as well, see search/lexemes.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update search_page set terms = terms || array_to_tsvector(array[':org:' || organization || ':sample'])
    where md5(page) collate "C" < '2'`.execute(db);
}
