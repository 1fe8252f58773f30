import type { RawBuilder } from "kysely";
import type { Ctx } from "../trpc.js";

/** The spaces of an organization that satisfy a condition. */
export const readable = (ctx: Ctx, organization: string, condition: RawBuilder<boolean>) =>
  ctx.db
    .selectFrom("space")
    .select(["id", "title"])
    .where("organization", "=", organization)
    .where("deleted_at", "is", null)
    .where(condition)
    .execute();
