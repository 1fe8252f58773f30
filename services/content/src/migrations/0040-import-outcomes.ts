import { type Kysely, sql } from "kysely";

/** What becomes of an import: what it left out, in which queue it waits; and its credentials go with its end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table git_operation
    -- The queue of the job; one of the previous release has none.
    add column queue text,
    -- What the import left out, by reason.
    add column skipped jsonb`,
  "create index git_operation_running on git_operation (space) where state = 'running'",
  // The path that a file had in the space when its page was imported last.
  "alter table import_file add column renamed_from text",
  "update git_operation set request = '' where state <> 'running' and request <> ''",
];
