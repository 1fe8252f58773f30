import { type Kysely, sql } from "kysely";

/**
 * Lets the planner expect a thousand entries of a branch. The average says a few as soon as a space has a thousand change
 * requests, and plans for any values then walk the whole primary branch to find one page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table entry alter column branch set (n_distinct = -0.001)").execute(db);
  await sql.raw("analyze entry (branch)").execute(db);
}
