import type { Insertable, Selectable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["visitor_integration"];
export type Row = Selectable<Table>;

/** Finds what an installation offers a site. */
export const find = ({ db }: Ctx, site: string, installation: string): Promise<Row | undefined> =>
  db
    .selectFrom("visitor_integration")
    .selectAll()
    .where("site", "=", site)
    .where("installation", "=", installation)
    .executeTakeFirst();

/** The integrations by which visitors of a site can sign in, those that came first ahead. */
export const ofSite = ({ db }: Ctx, site: string): Promise<Row[]> =>
  db
    .selectFrom("visitor_integration")
    .selectAll()
    .where("site", "=", site)
    .orderBy("created_at")
    .orderBy("installation")
    .execute();

/** The sites to which an installation offers to sign in their visitors. */
export async function sitesOf({ db }: Ctx, installation: string): Promise<string[]> {
  const query = db.selectFrom("visitor_integration").select("site").where("installation", "=", installation);
  return (await query.execute()).map(({ site }) => site);
}

/** Inserts an offer, or replaces what it was before. */
export async function put({ db }: Ctx, row: Insertable<Table>): Promise<void> {
  const { integration, address, private_key } = row;
  await db
    .insertInto("visitor_integration")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["site", "installation"]).doUpdateSet({ integration, address, private_key }),
    )
    .execute();
}

/** Takes an offer back. */
export async function remove({ db }: Ctx, site: string, installation: string): Promise<void> {
  await db
    .deleteFrom("visitor_integration")
    .where("site", "=", site)
    .where("installation", "=", installation)
    .execute();
}

/** Forgets what an integration signs with; it counts again with another key. */
export async function forgetKey({ db }: Ctx, site: string, installation: string): Promise<void> {
  await db
    .updateTable("visitor_integration")
    .set({ private_key: null })
    .where("site", "=", site)
    .where("installation", "=", installation)
    .execute();
}
