import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import { all, type Row } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** The site with the longest of these foreign addresses (in lower case); of several with the same, the first one. */
export const byProxy = (ctx: Ctx, origins: string[]): Promise<Row | undefined> =>
  all(ctx)
    .where("proxy", "is not", null)
    .where(sql<string>`lower(proxy) collate "C"`, "=", anyOf(origins))
    .orderBy(sql`length(proxy)`, "desc")
    .orderBy("site.created_at")
    .orderBy("site.id")
    .limit(1)
    .executeTakeFirst();
