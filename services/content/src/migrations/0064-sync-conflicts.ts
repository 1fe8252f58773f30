import { type Kysely, sql } from "kysely";

/** The change requests with what both sides of a sync changed differently. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table git_sync add column conflicts text[] not null default '{}'`.execute(db);
}
