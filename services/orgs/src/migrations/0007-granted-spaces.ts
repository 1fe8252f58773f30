import { type Kysely, sql } from "kysely";

/** Members and teams know which count of their spaces they hold, so that an older one never takes its place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["member", "team"])
    await sql`alter table ${sql.table(table)} add column spaces_version bigint not null default 0`.execute(
      db,
    );
}
