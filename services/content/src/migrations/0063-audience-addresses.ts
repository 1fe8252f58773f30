import { type Kysely, sql } from "kysely";

/** Spaces are found by the addresses at which sites show them, whose case counts for nothing; by hash, as they may be long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("create index audience_address on audience using hash (lower(url))").execute(db);
}
