import { type Kysely, sql } from "kysely";

/**
 * A site that authenticates its visitors reports how. Null until it does: sites of the release before this
 * one do not report it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table audience add column backend text").execute(db);
}
