import { type Kysely, sql } from "kysely";

/** The membership that a request for a review was made to; none for teams. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table requested_reviewer add column joined_at timestamptz(3)`.execute(db);
}
