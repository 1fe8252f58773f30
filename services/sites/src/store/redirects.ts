import { anyOf } from "@octavo/shared/database/any-of";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["site_redirect"];
export type Row = Selectable<Table>;

const all = ({ db }: Ctx, site: string) =>
  db.selectFrom("site_redirect").selectAll().where("site", "=", site);

const escaped = (part: string) => part.replaceAll(/[\\%_]/g, "\\$&");

/** Selects the redirects of a site; `search` is a part of the source, in any case. */
export const ofSite = (ctx: Ctx, site: string, search?: string) =>
  all(ctx, site).$if(search !== undefined, (query) =>
    query.where("source", "ilike", `%${escaped(search!)}%`),
  );

/** Finds a redirect of a site. */
export const find = (ctx: Ctx, site: string, id: string): Promise<Row | undefined> =>
  all(ctx, site).where("id", "=", id).executeTakeFirst();

/** Finds the redirect of a site that stands for the first of these keys that any stands for. */
export async function findFirst(ctx: Ctx, site: string, keys: string[]): Promise<Row | undefined> {
  const rows = await all(ctx, site).where("source_key", "=", anyOf(keys)).execute();
  return rows.sort((one, other) => keys.indexOf(one.source_key) - keys.indexOf(other.source_key))[0];
}

export type Former = Pick<Selectable<Database["former_path"]>, "path" | "section" | "site_space">;

/** Finds the first of these paths that a change of the structure of a site took from what is still there. */
export async function findFormer({ db }: Ctx, site: string, paths: string[]): Promise<Former | undefined> {
  const rows = await db
    .selectFrom("former_path")
    .select(["path", "section", "site_space"])
    .where("site", "=", site)
    .where("path", "=", anyOf(paths))
    .execute();
  return rows.sort((one, other) => paths.indexOf(one.path) - paths.indexOf(other.path))[0];
}

/** Counts the redirects of a site. */
export async function count({ db }: Ctx, site: string): Promise<number> {
  const own = db.selectFrom("site_redirect").where("site", "=", site);
  const row = await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns the redirects of a site that lead to other paths or to addresses. */
export const toAddresses = (ctx: Ctx, site: string): Promise<Row[]> =>
  all(ctx, site).where("address", "is not", null).execute();

/** Inserts a redirect, and returns its row. */
export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("site_redirect").values(row).returningAll().executeTakeFirstOrThrow();

/** Returns the redirects of a site from these sources, by their keys. */
export const fromSources = (ctx: Ctx, site: string, keys: string[]): Promise<Row[]> =>
  all(ctx, site).where("source_key", "=", anyOf(keys)).execute();

/** Inserts redirects, and changes those with the same source. */
export const putAll = async ({ db }: Ctx, rows: Insertable<Table>[]): Promise<void> => {
  await db
    .insertInto("site_redirect")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["site", "source_key"]).doUpdateSet(({ ref }) => ({
        source: ref("excluded.source"),
        kind: ref("excluded.kind"),
        site_section: null,
        site_space: null,
        page: null,
        address: ref("excluded.address"),
      })),
    )
    .execute();
};

/** Changes a redirect, and returns its row. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>): Promise<Row> =>
  db.updateTable("site_redirect").set(set).where("id", "=", id).returningAll().executeTakeFirstOrThrow();

/** Deletes a redirect. */
export const remove = async ({ db }: Ctx, id: string): Promise<void> => {
  await db.deleteFrom("site_redirect").where("id", "=", id).execute();
};
