import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["publishing_auth"];
export type Row = Selectable<Table>;

/** Finds the settings by which visitors of a site sign in. */
export const find = ({ db }: Ctx, site: string): Promise<Row | undefined> =>
  db.selectFrom("publishing_auth").selectAll().where("site", "=", site).executeTakeFirst();

/** Inserts the settings by which visitors of a site sign in, and returns the row. */
export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("publishing_auth").values(row).returningAll().executeTakeFirstOrThrow();

/** Changes the settings by which visitors of a site sign in, and returns the row. */
export const update = ({ db }: Ctx, site: string, set: Updateable<Table>): Promise<Row> =>
  db
    .updateTable("publishing_auth")
    .set({ ...set, updated_at: sql`now()` })
    .where("site", "=", site)
    .returningAll()
    .executeTakeFirstOrThrow();
