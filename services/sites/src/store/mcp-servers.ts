import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["mcp_server"];
export type Row = Selectable<Table>;

/** Selects the MCP servers of a site. */
export const ofSite = ({ db }: Ctx, site: string) =>
  db.selectFrom("mcp_server").selectAll().where("site", "=", site);

/** Finds an MCP server of a site. */
export const find = (ctx: Ctx, site: string, id: string): Promise<Row | undefined> =>
  ofSite(ctx, site).where("id", "=", id).executeTakeFirst();

/** Counts the MCP servers of a site. */
export async function count({ db }: Ctx, site: string): Promise<number> {
  const own = db.selectFrom("mcp_server").where("site", "=", site);
  const row = await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Inserts an MCP server, and returns its row. */
export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("mcp_server").values(row).returningAll().executeTakeFirstOrThrow();

/** Changes an MCP server, and returns its row. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>): Promise<Row> =>
  db
    .updateTable("mcp_server")
    .set({ ...set, updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes an MCP server. */
export const remove = async ({ db }: Ctx, id: string): Promise<void> => {
  await db.deleteFrom("mcp_server").where("id", "=", id).execute();
};
