import { anyOf } from "@octavo/shared/database/any-of";
import { all, type Row } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** The site of these organizations that names a hostname; whose it is comes before who only names it. */
export const named = (ctx: Ctx, hostname: string, organizations: string[]): Promise<Row | undefined> =>
  all(ctx)
    .where("hostname", "=", hostname)
    .where("site.organization", "=", anyOf(organizations))
    .orderBy("hostname_verified_at")
    .orderBy("site.id")
    .limit(1)
    .executeTakeFirst();
