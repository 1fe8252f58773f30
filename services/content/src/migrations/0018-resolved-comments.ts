import { type Kysely, sql } from "kysely";

/**
 * Spaces and change requests count their resolved comments beside the open ones, so that a list of comments knows its
 * length without reading them. The database counts by itself: copies of the release before this one, which resolve and
 * delete comments too, know nothing of the counter.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const add = (steps: string) =>
    ["space", "change_request"]
      .map(
        (place) => `update ${place} set comments_resolved = comments_resolved + step.sum
          from (${steps}) step where ${place}.id = step.branch;`,
      )
      .join("\n");
  const sumOf = (rows: string) =>
    `select branch, sum(step)::int as sum from (${rows}) step group by branch having sum(step) <> 0`;
  const resolved = (rows: string, step: 1 | -1) =>
    `select branch, ${step} as step from ${rows} where parent is null and resolved_at is not null`;
  for (const statement of [
    "alter table space add column comments_resolved int not null default 0",
    "alter table change_request add column comments_resolved int not null default 0",
    `create function count_changed_comments() returns trigger language plpgsql as $$
    begin
      ${add(sumOf(`${resolved("went", -1)} union all ${resolved("came", 1)}`))}
      return null;
    end $$`,
    `create function count_deleted_comments() returns trigger language plpgsql as $$
    begin
      ${add(sumOf(resolved("went", -1)))}
      return null;
    end $$`,
    `create trigger comment_changed after update on comment
      referencing old table as went new table as came
      for each statement execute function count_changed_comments()`,
    `create trigger comment_deleted after delete on comment referencing old table as went
      for each statement execute function count_deleted_comments()`,
    ...add(sumOf(resolved("comment", 1))).split(";"),
  ])
    if (statement.trim()) await sql.raw(statement).execute(db);
}
