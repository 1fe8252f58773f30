import { type Kysely, sql } from "kysely";

/** Why a space is not kept in step for now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table git_sync add column paused text check (paused in ('permission'))`.execute(db);
}
