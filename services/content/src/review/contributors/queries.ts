import type { Ctx } from "../../trpc.js";

/** Whoever edited a change request or commented on it; one who did both is there twice. */
export const ofChangeRequest = ({ db }: Ctx, changeRequest: string) =>
  db
    .selectFrom("contributor")
    .leftJoin("person as author", "author.id", "contributor.person")
    .select([
      "contributor.person",
      "contributor.action",
      "contributor.count",
      "contributor.updated_at",
      "author.display_name",
      "author.email",
      "author.photo_url",
    ])
    .where("contributor.change_request", "=", changeRequest);
export type Row = Awaited<ReturnType<ReturnType<typeof ofChangeRequest>["executeTakeFirstOrThrow"]>>;
