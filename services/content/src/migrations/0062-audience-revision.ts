import { type Kysely, sql } from "kysely";

/**
 * The revision of a space that a site shows while a release of it is pinned, null while it follows the space; and what a
 * visitor has to meet to be shown the space.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table audience add column revision text, add column conditions text[]").execute(db);
}
