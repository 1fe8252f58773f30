import { type Kysely, sql } from "kysely";

/**
 * A site that asks its visitors who they are tells how it finds out. Null until it does: sites of the release before this
 * one tell nothing of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table audience add column backend text").execute(db);
}
