import { type Kysely, sql } from "kysely";

/** Files that integrations compute beside pages, by the result that they came with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table computed_file (
    result text not null references computed_result on delete cascade,
    id text not null,
    name text not null,
    -- of its content
    hash text not null,
    props jsonb not null,
    primary key (result, id)
  )`.execute(db);
  await sql`create index computed_file_hash on computed_file (hash)`.execute(db);
}
