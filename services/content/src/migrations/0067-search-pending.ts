import { type Kysely, sql } from "kysely";

/** New pages of large changes that the search does not find yet: a job puts them into the index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table search_pending (
    space text not null references space (id) on delete cascade,
    page text not null,
    primary key (space, page)
  )`.execute(db);
}
