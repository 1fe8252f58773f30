import { type Kysely, sql } from "kysely";

/** What was read from files that hold specifications of APIs, as JSON: to read YAML takes some fifteen times as long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table file_specification (
    hash text primary key references stored_file on delete cascade,
    document text not null
  )`.execute(db);
}
