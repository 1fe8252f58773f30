import { type Kysely, sql } from "kysely";

/** Finds the pages of a space that show an OpenAPI specification. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index reference_openapi on reference (space, url) where kind = 'openapi'`.execute(db);
}
