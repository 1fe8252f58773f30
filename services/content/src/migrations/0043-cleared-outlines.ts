import { type Kysely, sql } from "kysely";

/**
 * Forgets the anchors that were kept of texts: headings inside updates, and the anchors that GitHub gives, count since.
 * They are read again from the texts when links are asked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`truncate outline`.execute(db);
}
