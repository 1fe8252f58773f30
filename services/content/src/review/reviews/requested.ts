import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, sql } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

/** Who is asked to review a change request, with who asked. */
export const ofChangeRequest = ({ db }: Ctx, changeRequest: string) =>
  db
    .selectFrom("requested_reviewer as r")
    .leftJoin("person as asked", "asked.id", "r.subject")
    .leftJoin("person as asking", "asking.id", "r.requested_by")
    .select([
      "r.subject",
      "r.subject_kind",
      "r.revision",
      "r.requested_by",
      "r.created_at",
      "asked.display_name",
      "asked.email",
      "asked.photo_url",
      "asking.display_name as by_name",
      "asking.email as by_email",
      "asking.photo_url as by_photo",
    ])
    .where("r.change_request", "=", changeRequest);
export type Row = Awaited<ReturnType<ReturnType<typeof ofChangeRequest>["executeTakeFirstOrThrow"]>>;

export const those = (ctx: Ctx, changeRequest: string, subjects: string[]) =>
  ofChangeRequest(ctx, changeRequest).where("r.subject", "=", anyOf(subjects)).orderBy("r.subject").execute();

/** Asks them; who was asked before is asked again, about what the change request is now. */
export async function put({ db }: Ctx, values: Insertable<Database["requested_reviewer"]>[]) {
  if (values.length === 0) return;
  await db
    .insertInto("requested_reviewer")
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(["change_request", "subject"]).doUpdateSet((of) => ({
        revision: of.ref("excluded.revision"),
        requested_by: of.ref("excluded.requested_by"),
        created_at: of.ref("excluded.created_at"),
        joined_at: sql<string | null>`greatest(requested_reviewer.joined_at, excluded.joined_at)`,
      })),
    )
    .execute();
}

/** Asks these users and teams no more; returns what they had been asked. */
export const take = ({ db }: Ctx, changeRequest: string, subjects: string[]) =>
  db
    .deleteFrom("requested_reviewer")
    .where("change_request", "=", changeRequest)
    .where("subject", "=", anyOf(subjects))
    .returning(["subject", "subject_kind", "requested_by"])
    .execute();

/** A member whose membership ended, or a team that is gone, is asked for nothing there; a later membership still is. */
export const forget = ({ db }: Ctx, organization: string, subject: string, joinedAt: string) =>
  db
    .deleteFrom("requested_reviewer")
    .using("change_request")
    .whereRef("change_request.id", "=", "requested_reviewer.change_request")
    .where("requested_reviewer.subject", "=", subject)
    .where("change_request.organization", "=", organization)
    .where((of) =>
      of.or([
        of("requested_reviewer.joined_at", "is", null),
        of("requested_reviewer.joined_at", "<=", joinedAt),
      ]),
    )
    .execute();
