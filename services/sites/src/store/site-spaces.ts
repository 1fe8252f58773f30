import { anyOf } from "@octavo/shared/database/any-of";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

export type Row = Selectable<Database["site_space"]>;

const all = ({ db }: Ctx) => db.selectFrom("site_space").selectAll();

/** The shown variants of a site, in their order. */
export const shown = (ctx: Ctx, site: string) =>
  all(ctx)
    .where("site", "=", site)
    .where("trashed_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();

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

/** Inserts variants and returns their rows. */
export const insert = async ({ db }: Ctx, rows: Insertable<Database["site_space"]>[]) =>
  rows.length === 0 ? [] : db.insertInto("site_space").values(rows).returningAll().execute();

/** Changes columns of a variant. */
export const update = async ({ db }: Ctx, id: string, set: Updateable<Database["site_space"]>) => {
  await db.updateTable("site_space").set(set).where("id", "=", id).execute();
};

/** Deletes a variant. */
export const remove = async ({ db }: Ctx, id: string) => {
  await db.deleteFrom("site_space").where("id", "=", id).execute();
};

/** Gives the root of the site to one of its variants; two steps, because at no time two may hold it. */
export const moveDefault = async ({ db }: Ctx, site: string, to: string) => {
  const own = db.updateTable("site_space").where("site", "=", site);
  await own.where("is_default", "=", true).set({ is_default: false }).execute();
  await own.where("id", "=", to).set({ is_default: true }).execute();
};
