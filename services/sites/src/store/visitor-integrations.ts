import { type Insertable, type Selectable, sql } from "kysely";
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

/** The sites to which an installation offers to sign in their visitors; those with ids in a range, if one is given. */
export async function sitesOf(
  { db }: Ctx,
  { installation, above, upTo }: { installation: string; above?: string; upTo?: string },
): Promise<string[]> {
  const id = sql<string>`site collate "C"`;
  const rows = await db
    .selectFrom("visitor_integration")
    .select("site")
    .where("installation", "=", installation)
    .$if(above !== undefined, (query) => query.where(id, ">", above!))
    .$if(upTo !== undefined, (query) => query.where(id, "<=", upTo!))
    .execute();
  return rows.map(({ site }) => site);
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
