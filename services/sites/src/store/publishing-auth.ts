import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["publishing_auth"];

/** How visitors of a site sign in, with what the integration offers by which they do, if they do by one. */
export interface Row extends Selectable<Table> {
  integration: string | null;
  address: string | null;
  integration_key: string | null;
}

/** Finds the settings by which visitors of a site sign in. */
export const find = ({ db }: Ctx, site: string): Promise<Row | undefined> =>
  db
    .selectFrom("publishing_auth as auth")
    .leftJoin("visitor_integration as by", (join) =>
      join
        .onRef("by.site", "=", "auth.site")
        .onRef("by.installation", "=", "auth.installation")
        .on("auth.backend", "=", "integration"),
    )
    .selectAll("auth")
    .select(["by.integration", "by.address", "by.private_key as integration_key"])
    .where("auth.site", "=", site)
    .executeTakeFirst();

/** Inserts the settings by which visitors of a site sign in, and returns the row. */
export async function insert(ctx: Ctx, row: Insertable<Table>): Promise<Row> {
  await ctx.db.insertInto("publishing_auth").values(row).execute();
  return (await find(ctx, row.site))!;
}

/** Changes the settings by which visitors of a site sign in, and returns the row. */
export async function update(ctx: Ctx, site: string, set: Updateable<Table>): Promise<Row> {
  await ctx.db
    .updateTable("publishing_auth")
    .set({ ...set, updated_at: sql`now()` })
    .where("site", "=", site)
    .execute();
  return (await find(ctx, site))!;
}
