import { type Kysely, sql } from "kysely";

/**
 * Tells by which reading the anchors of a text were found. Copies of the release before write none beside this one, so
 * what they find counts as 0, and is read again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outline add column reading smallint not null default 0`.execute(db);
}
