import { type Kysely, sql } from "kysely";

/**
 * A site reports how often its audience was narrowed: tokens of renderers that are older count for nothing. Null until it
 * does, which is never. And which spaces it shows on a condition alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table audience add column epoch int, add column conditional boolean").execute(db);
}
