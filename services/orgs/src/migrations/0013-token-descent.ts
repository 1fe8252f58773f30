import { type Kysely, sql } from "kysely";

/** A token that was made with another ends with that one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table token add column made_with text
      constraint token_made_with references token (id) on delete cascade`,
    "create index token_descent on token (made_with) where made_with is not null",
  ])
    await sql.raw(statement).execute(db);
}
