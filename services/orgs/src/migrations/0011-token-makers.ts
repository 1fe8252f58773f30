import { type Kysely, sql } from "kysely";

/** A token that an administrator made for somebody else ends with what entitled its maker. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    "alter table token add column made_by text",
    `alter table token add constraint token_maker foreign key (organization, made_by)
      references member (organization, person) on delete cascade`,
    "create index token_made_by on token (organization, made_by) where made_by is not null",
  ])
    await sql.raw(statement).execute(db);
}
