import { type Kysely, sql } from "kysely";

/** Who left an organization is remembered, so that no grant that was under way then outlives that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The membership that a grant was made to; none for teams, and for what an invite promised.
  "alter table content_grant add column joined_at timestamptz(3)",
  // The last membership of each that ended; a team that was deleted never comes back.
  `create table departure (
    organization text not null,
    subject text not null,
    joined_at timestamptz(3) not null,
    primary key (organization, subject)
  )`,
];
