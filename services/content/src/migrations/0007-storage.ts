import { type Kysely, sql } from "kysely";

/**
 * What is stored outside of entries is checked once after it was stored, and whenever what used it is purged: a content
 * of files (`stored_file`) and a text (`body`) that nothing names by then is removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Every content that the storage holds, or is about to. No check is due while \`check_at\` is null.
  `create table stored_file (
    hash text primary key,
    received_at timestamptz(3) not null,
    check_at timestamptz(3)
  )`,
  "create index stored_file_check on stored_file (check_at) where check_at is not null",
  "create index entry_file on entry (body) where kind = 'file'",
  `insert into stored_file (hash, received_at)
    select distinct body, now() from entry where kind = 'file' and body is not null`,
  // Texts that are there already get a check as well; what comes in afterwards says when it wants one.
  "alter table body add column check_at timestamptz(3) default now() + interval '1 day'",
  "alter table body alter column check_at drop default",
  "create index body_check on body (check_at, space) where check_at is not null",
  // Set when the purge has begun, after which there is no way back.
  "alter table space add column purging_at timestamptz(3)",
];
