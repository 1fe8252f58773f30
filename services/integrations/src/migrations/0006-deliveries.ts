import { type Kysely, sql } from "kysely";

/** Events that are delivered together, those for the scripts of one publisher. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Absent for tasks, and for what the release before recorded: each of these has a job of its own.
  "alter table event add column publisher text",
  "alter table event add column attempts smallint not null default 0",
  // After a failure of our own it is not tried before this time.
  "alter table event add column not_before timestamptz(3)",
  "create index event_next on event (publisher, installation, id) where status is null and publisher is not null",
];
