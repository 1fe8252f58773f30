import { hashOfShareKey } from "@octavo/shared/contracts/share-keys";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["share_link"];
export type Row = Selectable<Table>;

/** Selects the share links of a site. */
export const ofSite = ({ db }: Ctx, site: string) =>
  db.selectFrom("share_link").selectAll().where("site", "=", site);

/** Finds a share link of a site. */
export const find = (ctx: Ctx, site: string, id: string): Promise<Row | undefined> =>
  ofSite(ctx, site).where("id", "=", id).executeTakeFirst();

/** Finds the active share link of a site that has this key. */
export async function findActive({ db }: Ctx, site: string, key: string) {
  const hash = hashOfShareKey(key);
  if (hash === undefined) return undefined;
  return db
    .selectFrom("share_link")
    .select(["id", "name"])
    .where("site", "=", site)
    .where("key_hash", "=", hash)
    .where("active", "=", true)
    .executeTakeFirst();
}

/** The hashes of the keys that open a site now. */
export async function activeHashes({ db }: Ctx, site: string): Promise<string[]> {
  const rows = await db
    .selectFrom("share_link")
    .select("key_hash")
    .where("site", "=", site)
    .where("active", "=", true)
    .orderBy("id")
    .execute();
  return rows.map(({ key_hash }) => key_hash);
}

/** How many share links a site has. */
export async function count({ db }: Ctx, site: string): Promise<number> {
  const row = await db
    .selectFrom("share_link")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("site", "=", site)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Inserts a share link and returns its row. */
export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("share_link").values(row).returningAll().executeTakeFirstOrThrow();

/** Changes columns of a share link. */
export const update = async ({ db }: Ctx, id: string, set: Updateable<Table>) => {
  await db.updateTable("share_link").set(set).where("id", "=", id).execute();
};

/** Deletes a share link. */
export const remove = async ({ db }: Ctx, id: string) => {
  await db.deleteFrom("share_link").where("id", "=", id).execute();
};
