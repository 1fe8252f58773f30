import { type Kysely, sql } from "kysely";

/** What an export is about to push, why an operation failed, and what a space and its branch have in common. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table git_operation add column reason text, add column pushed jsonb",
  "create index git_operation_pushed on git_operation (space, (pushed->>'commit')) where pushed is not null",
  `create table git_state (
    space text primary key references space (id) on delete cascade,
    -- The project directory, and the commit that holds the primary content as it was at the revision of this number.
    directory text not null,
    commit text not null,
    seq int not null,
    -- The texts of .gitbook.yaml, the table of contents and .gitbook/vars.yaml; null where there is none.
    settings text,
    summary text,
    variables text
  )`,
];
