import { type Kysely, sql } from "kysely";

/** A comment on a block keeps its words as they were: the block may be another one by the time the comment is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table comment add column node_preview text").execute(db);
}
