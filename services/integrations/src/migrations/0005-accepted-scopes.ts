import { type Kysely, sql } from "kysely";

/** The scopes that an organization accepted of an integration; what it had before it keeps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Absent where the release before installed: then what the integration declares counts.
  "alter table installation add column accepted_scopes text[]",
  `update installation set accepted_scopes = integration.scopes
    from integration where integration.id = installation.integration`,
];
