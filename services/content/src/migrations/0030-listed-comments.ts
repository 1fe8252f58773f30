import { type Kysely, sql } from "kysely";

/**
 * How many comments a branch has on one page, by one person, and on one page by one person; an empty page or author
 * stands for any. The database counts by itself, as it does the resolved ones, also for copies of the release before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const counted = (rows: string, sign: 1 | -1) => `select c.space, c.branch, k.page, k.author,
    (${sign} * (c.resolved_at is null)::int) as open, (${sign} * (c.resolved_at is not null)::int) as resolved
  from ${rows} c cross join lateral (values (c.page, ''), ('', c.posted_by), (c.page, c.posted_by)) k (page, author)
  where c.parent is null and k.page is not null`;

/** Always in one order, so that no two wait for each other. */
const add = (
  steps: string,
  where = "",
) => `insert into comment_count (space, branch, page, author, open, resolved)
  select space, branch, page, author, sum(open), sum(resolved) from (${steps}) step
  ${where} group by 1, 2, 3, 4 having sum(open) <> 0 or sum(resolved) <> 0 order by 2, 3, 4
  on conflict (branch, page, author) do update
  set open = comment_count.open + excluded.open, resolved = comment_count.resolved + excluded.resolved;`;

/** While a space is purged, its counts may be gone before its comments are. */
const KNOWN = `where exists (select from comment_count known where known.branch = step.branch
  and known.page = step.page and known.author = step.author)`;

const counter = (
  name: string,
  step: string,
) => `create function ${name}() returns trigger language plpgsql as $$
  begin
    ${step}
    return null;
  end $$`;

// Triggers fire in the order of their names: these after those that count on spaces and change requests, whose rows are
// locked first wherever comments change.
const statements = [
  `create table comment_count (
    branch text not null,
    page text not null,
    author text not null,
    space text not null references space (id) on delete cascade,
    open int not null,
    resolved int not null,
    primary key (branch, page, author)
  )`,
  "create index comment_count_space on comment_count (space)",
  counter("count_listed_insert", add(counted("came", 1))),
  counter("count_listed_update", add(`${counted("went", -1)} union all ${counted("came", 1)}`, KNOWN)),
  counter("count_listed_delete", add(counted("went", -1), KNOWN)),
  `create trigger comment_listed_insert after insert on comment referencing new table as came
    for each statement execute function count_listed_insert()`,
  `create trigger comment_listed_update after update on comment referencing old table as went new table as came
    for each statement execute function count_listed_update()`,
  `create trigger comment_listed_delete after delete on comment referencing old table as went
    for each statement execute function count_listed_delete()`,
  add(counted("comment", 1)),
];
