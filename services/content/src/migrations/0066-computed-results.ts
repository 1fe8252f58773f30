import { type Kysely, sql } from "kysely";

/** What integrations compute for pages that declare a source of theirs, and what was asked for besides. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table computed_result (
    id text primary key,
    space text not null references space on delete cascade,
    -- what the source is, without what it depends on at present
    key text not null,
    -- what it depended on when it was computed
    inputs text not null,
    pages jsonb not null,
    created_at timestamptz(3) not null
  )`,
  "create index computed_result_of on computed_result (space, key, created_at desc)",
  `create table computed_ask (
    space text not null references space on delete cascade,
    key text not null,
    source jsonb not null,
    asked_at timestamptz(3) not null,
    primary key (space, key)
  )`,
];
