import { type Kysely, sql } from "kysely";

/** Where old paths lead by the settings in the branch that a space was last the same as. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table git_redirect (
    space text not null references space (id) on delete cascade,
    -- In lower case, without slashes around it and the ending of a file.
    path text not null,
    -- The path in git of the page that it leads to.
    file text not null,
    primary key (space, path)
  )`.execute(db);
}
