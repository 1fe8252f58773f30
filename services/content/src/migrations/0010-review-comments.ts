import { type Kysely, sql } from "kysely";

/** What reviews say becomes a comment like others: it is listed, replied to, reacted to and resolved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `insert into comment (id, space, branch, review, revision, body, posted_by, posted_at)
    select coalesce(r.comment_id, r.id), c.space, c.id, r.id, r.revision, r.comment, r.reviewer, r.created_at
    from review r join change_request c on c.id = r.change_request where r.comment is not null`,
  `update change_request c set comments = c.comments + said.count
    from (select change_request, count(*)::int as count from review where comment is not null
      group by change_request) said
    where said.change_request = c.id`,
  "alter table review drop column comment, drop column comment_id",
];
