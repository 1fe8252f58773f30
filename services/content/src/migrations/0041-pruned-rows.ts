import { type Kysely, sql } from "kysely";

/**
 * Rows that say nothing any more go: departures after a time, counts of comments when they come to nothing. And spaces
 * that readers see, or that git has a copy of, are locked, as they become from now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const dropEmpty = (
  name: string,
  table: string,
) => `create function ${name}() returns trigger language plpgsql as $$
  begin
    delete from comment_count c using (
      select c.branch, c.page, c.author from comment_count c
      where (c.open, c.resolved) = (0, 0) and (c.branch, c.page, c.author) in (
        select w.branch, k.page, k.author from ${table} w
        cross join lateral (values (w.page, ''), ('', w.posted_by), (w.page, w.posted_by)) k (page, author)
        where w.parent is null and k.page is not null)
      order by 1, 2, 3 for update) empty
    where (c.branch, c.page, c.author) = (empty.branch, empty.page, empty.author) and (c.open, c.resolved) = (0, 0);
    return null;
  end $$`;

const statements = [
  "alter table departure add column departed_at timestamptz(3) not null default now()",
  "create index departure_departed_at on departure (departed_at)",
  dropEmpty("drop_empty_counts", "went"),
  // After the trigger that counts, by its name.
  `create trigger comment_listed_delete_empty after delete on comment referencing old table as went
    for each statement execute function drop_empty_counts()`,
  "delete from comment_count where open = 0 and resolved = 0",
  "update space set edit_mode = 'locked' where edit_mode = 'live' and (visibility in ('public', 'unlisted') or git is not null)",
];
