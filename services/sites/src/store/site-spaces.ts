import { anyOf } from "@octavo/shared/database/any-of";
import type { Selectable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

export type Row = Selectable<Database["site_space"]>;

const all = ({ db }: Ctx) => db.selectFrom("site_space").selectAll();

/** All variants of a site, those in the trash too, because they keep their paths. */
export const every = (ctx: Ctx, site: string) => all(ctx).where("site", "=", site).execute();

/**
 * Selects the shown variants of a site that are of these spaces; the default or the others alone when `isDefault` is
 * given.
 */
export const among = (ctx: Ctx, site: string, spaces: string[], isDefault?: boolean) =>
  all(ctx)
    .where("site", "=", site)
    .where("trashed_at", "is", null)
    .where("space", "=", anyOf(spaces))
    .$if(isDefault !== undefined, (query) => query.where("is_default", "=", isDefault!));

/** Finds a variant that a site shows. */
export const findShown = (ctx: Ctx, site: string, id: string): Promise<Row | undefined> =>
  all(ctx).where("site", "=", site).where("id", "=", id).where("trashed_at", "is", null).executeTakeFirst();

/** Where a space is shown, or would be if it were not in the trash. */
export const ofSpace = (ctx: Ctx, space: string) =>
  all(ctx).where("space", "=", space).orderBy("site").execute();
