import { type Kysely, sql } from "kysely";

/** What texts of repositories say, kept from one import to the next. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table git_reading (
    space text not null references space (id) on delete cascade,
    path text not null,
    oid text not null,
    -- By which way of reading: another one reads anew.
    reading int not null,
    hash text not null,
    source jsonb not null,
    links jsonb not null,
    primary key (space, path)
  )`.execute(db);
  // Null where the text was not read, or has problems that every import reports.
  await sql`alter table import_file add column links jsonb`.execute(db);
}
