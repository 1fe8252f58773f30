import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

type Stored = Record<string, unknown>;

/** Finds what somebody has set of a site's look. */
export async function find({ db }: Ctx, site: string): Promise<Stored | undefined> {
  const own = db.selectFrom("site_customization").select("settings").where("site", "=", site);
  return (await own.executeTakeFirst())?.settings;
}

/**
 * Returns the site spaces of a site that show where their pages are edited: by what they override, else as their site does,
 * else not.
 */
export async function withEditLink({ db }: Ctx, site: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select site_space.id from site_space
    left join site_customization look on look.site = site_space.site
    left join site_space_customization own on own.site_space = site_space.id
    where site_space.site = ${site}
      and coalesce(own.overrides #> '{git,showEditLink}', look.settings #> '{git,showEditLink}') = 'true'::jsonb`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Replaces what is set of a site's look. */
export async function put({ db }: Ctx, site: string, settings: object): Promise<void> {
  const values = { settings: JSON.stringify(settings), updated_at: sql<string>`now()` };
  await db
    .insertInto("site_customization")
    .values({ site, ...values })
    .onConflict((conflict) => conflict.column("site").doUpdateSet(values))
    .execute();
}

const overrides = ({ db }: Ctx) =>
  db.selectFrom("site_space_customization").select(["site_space", "overrides"]);

/** Returns what of these site spaces of a site looks otherwise than the site. */
export const overridesAmong = (ctx: Ctx, site: string, siteSpaces: string[]) =>
  overrides(ctx).where("site", "=", site).where("site_space", "=", anyOf(siteSpaces)).execute();

/** Finds what of a site space looks otherwise than its site. */
export async function findOverrides(ctx: Ctx, siteSpace: string): Promise<Stored | undefined> {
  return (await overrides(ctx).where("site_space", "=", siteSpace).executeTakeFirst())?.overrides;
}

/** Replaces what of a site space looks otherwise than its site. */
export async function putOverrides(
  { db }: Ctx,
  { id, site }: { id: string; site: string },
  set: { overrides: object; advanced: boolean },
): Promise<void> {
  const values = { overrides: JSON.stringify(set.overrides), updated_at: sql<string>`now()` };
  await db
    .insertInto("site_space_customization")
    .values({ site_space: id, site, ...values })
    .onConflict((conflict) => conflict.column("site_space").doUpdateSet(values))
    .execute();
  await markAdvanced({ db }, id, set.advanced);
}

/** Deletes the overrides of a site space. Returns whether there were any. */
export async function removeOverrides({ db }: Ctx, siteSpace: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("site_space_customization")
    .where("site_space", "=", siteSpace)
    .executeTakeFirst();
  await markAdvanced({ db }, siteSpace, false);
  return numDeletedRows > 0n;
}

async function markAdvanced({ db }: Pick<Ctx, "db">, id: string, advanced: boolean): Promise<void> {
  const own = db.updateTable("site_space").where("id", "=", id);
  await own.set({ advanced_customization: advanced }).execute();
}
