import { type Insertable, sql } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

/** Reviews with who gave them, and who asked for them. */
const rows = ({ db }: Ctx) =>
  db
    .selectFrom("review")
    .leftJoin("person as reviewer", "reviewer.id", "review.reviewer")
    .leftJoin("person as asking", "asking.id", "review.requested_by")
    .select([
      "review.id",
      "review.change_request",
      "review.revision",
      "review.reviewer",
      "review.status",
      "review.outdated",
      "review.requested_by",
      "review.created_at",
      "review.updated_at",
      "reviewer.display_name",
      "reviewer.email",
      "reviewer.photo_url",
      "asking.display_name as by_name",
      "asking.email as by_email",
      "asking.photo_url as by_photo",
    ]);
export type Row = Awaited<ReturnType<ReturnType<typeof rows>["executeTakeFirstOrThrow"]>>;

/** Selects the reviews of a change request, all of them or those (not) outdated. */
export const ofChangeRequest = (ctx: Ctx, changeRequest: string, outdated?: boolean) =>
  rows(ctx)
    .where("review.change_request", "=", changeRequest)
    .$if(outdated !== undefined, (query) => query.where("review.outdated", "=", outdated!));

/** Finds a review by id. */
export const find = (ctx: Ctx, id: string) => rows(ctx).where("review.id", "=", id).executeTakeFirst();

/** Inserts a review. */
export const insert = ({ db }: Ctx, values: Insertable<Database["review"]>) =>
  db.insertInto("review").values(values).execute();

/** Reviews of these users, or of anybody for these teams, are outdated: they are requested again, or replaced. */
export async function supersede({ db, clock }: Ctx, changeRequest: string, subjects: string[]) {
  if (subjects.length === 0) return;
  await db
    .updateTable("review")
    .set({ outdated: true, updated_at: clock() })
    .where("change_request", "=", changeRequest)
    .where("outdated", "=", false)
    .where(sql<boolean>`(reviewer = any(${subjects}) or answered && ${subjects})`)
    .execute();
}
