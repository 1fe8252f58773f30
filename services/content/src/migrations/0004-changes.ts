import { type Kysely, sql } from "kysely";

/**
 * How conflicts are decided. A change request remembers the two revisions that were last found in conflict: the
 * primary branch's and its own, by their numbers. `merge_base` holds entries whose common ancestor has moved on since,
 * because a conflict was decided: the ancestor as merges see it, or null where there is none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table change_request add column conflict_primary int, add column conflict_own int",
  `create table merge_base (
    change_request text not null references change_request (id) on delete cascade,
    id text not null,
    entry jsonb,
    primary key (change_request, id)
  )`,
];
