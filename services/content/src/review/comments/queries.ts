import { anyOf } from "@octavo/shared/database/any-of";
import { ask, post } from "@octavo/shared/database/posted";
import { type Insertable, sql, type Updateable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["comment"];

/** Comments and replies with who posted them and who resolved them. */
const rows = ({ db }: Pick<Ctx, "db">) =>
  db
    .selectFrom("comment")
    .leftJoin("person as author", "author.id", "comment.posted_by")
    .leftJoin("person as resolver", "resolver.id", "comment.resolved_by")
    .selectAll("comment")
    .select([
      "author.display_name",
      "author.email",
      "author.photo_url",
      "resolver.display_name as resolver_name",
      "resolver.email as resolver_email",
      "resolver.photo_url as resolver_photo",
    ]);
export type Row = Awaited<ReturnType<ReturnType<typeof rows>["executeTakeFirstOrThrow"]>>;

interface Filter {
  status: "all" | "open" | "resolved";
  targetPage?: string;
  authors?: string[];
}

/** The comments on a branch; replies are not among them. */
export const inBranch = (ctx: Ctx, branch: string, { status, targetPage, authors }: Filter) =>
  rows(ctx)
    .where("comment.branch", "=", branch)
    .where("comment.parent", "is", null)
    .$if(status === "open", (query) => query.where("comment.resolved_at", "is", null))
    .$if(status === "resolved", (query) => query.where("comment.resolved_at", "is not", null))
    .$if(targetPage !== undefined, (query) => query.where("comment.page", "=", targetPage!))
    .$if(authors !== undefined, (query) => query.where("comment.posted_by", "=", anyOf(authors!)));

/** The comments that belong to reviews. */
export const ofReviews = (ctx: Ctx, reviews: string[]) =>
  rows(ctx).where("comment.review", "=", anyOf(reviews)).execute();

/** Selects the replies to a comment. */
export const repliesTo = (ctx: Ctx, comment: string) => rows(ctx).where("comment.parent", "=", comment);

/** Where a comment, or a reply to one, is looked for. */
export interface CommentKey {
  branch: string;
  /** The comment that it replies to; null for a comment itself. */
  parent: string | null;
  id: string;
}

/** Finds a comment or a reply at its place. */
export const find = (ctx: Ctx, { branch, parent, id }: CommentKey) =>
  rows(ctx)
    .where("comment.id", "=", id)
    .where("comment.branch", "=", branch)
    .where("comment.parent", "is not distinct from", parent)
    .executeTakeFirst();

/** What a change of a comment depends on; nobody changes it until the transaction ends. */
export const lock = ({ db }: Ctx, { branch, parent, id }: CommentKey) =>
  db
    .selectFrom("comment")
    .select(["id", "body", "posted_by", "resolved_at"])
    .where("id", "=", id)
    .where("branch", "=", branch)
    .where("parent", "is not distinct from", parent)
    .forUpdate()
    .executeTakeFirst();

/** Inserts a comment or a reply; it is returned when the transaction has ended. */
export async function insert({ db }: Ctx, values: Insertable<Table>): Promise<() => Promise<Row>> {
  const inserted = db.insertInto("comment").values(values).returningAll();
  const read = await ask(db, sql<Row>`with comment as (${inserted}) ${rows({ db })}`);
  return async () => (await read())[0]!;
}

/** Changes columns of a comment or a reply. */
export const set = ({ db }: Ctx, id: string, values: Updateable<Table>) =>
  db.updateTable("comment").set(values).where("id", "=", id).execute();

/** Removes a comment with its replies, or one reply. */
export const remove = ({ db }: Ctx, id: string) => db.deleteFrom("comment").where("id", "=", id).execute();

/** Counts replies that came to a comment or went. */
export const countReplies = ({ db }: Ctx, id: string, step: 1 | -1) =>
  db
    .updateTable("comment")
    .set((of) => ({ replies: of("replies", "+", step) }))
    .where("id", "=", id)
    .execute();

const COUNTED = {
  all: sql<number>`comments + comments_resolved`,
  open: sql<number>`comments`,
  resolved: sql<number>`comments_resolved`,
};
const LISTED = { all: sql`open + resolved`, open: sql`open`, resolved: sql`resolved` };

/** How many comments the primary content or a change request has, by its counters: one for each author at most. */
export async function countIn(
  { db }: Ctx,
  { space, branch }: { space: string; branch: string },
  { status, targetPage, authors }: Filter,
): Promise<number> {
  if (targetPage === undefined && authors === undefined) {
    const { count } = await db
      .selectFrom(branch === space ? "space" : "change_request")
      .select(COUNTED[status].as("count"))
      .where("id", "=", branch)
      .executeTakeFirstOrThrow();
    return count;
  }
  const { count } = await db
    .selectFrom("comment_count")
    .select(sql<number>`coalesce(sum(${LISTED[status]}), 0)::int`.as("count"))
    .where("branch", "=", branch)
    .where("page", "=", targetPage ?? "")
    .where("author", "=", anyOf(authors ?? [""]))
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts open comments that come to the primary content or a change request, or go; before they do, for the order of locks. */
export const countOpen = ({ db }: Ctx, { space, branch }: { space: string; branch: string }, step: 1 | -1) =>
  post(
    db,
    branch === space
      ? db
          .updateTable("space")
          .set((of) => ({ comments: of("comments", "+", step) }))
          .where("id", "=", space)
      : db
          .updateTable("change_request")
          .set((of) => ({ comments: of("comments", "+", step) }))
          .where("id", "=", branch),
  );

/** Who commented on a branch or replied there: one step in the index for each of them, however much they wrote. */
export async function commenters({ db }: Ctx, branch: string): Promise<string[]> {
  const after = (person: string) => sql`select posted_by from comment
    where branch = ${branch} and posted_by > ${sql.raw(person)} order by posted_by limit 1`;
  const { rows } = await sql<{ person: string }>`with recursive commenter (person) as (
      (${after("''")})
      union all
      select (${after("commenter.person")}) from commenter where commenter.person is not null)
    select person from commenter where person is not null`.execute(db);
  return rows.map(({ person }) => person);
}
