import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["publishing_auth"];
export type Row = Selectable<Table>;

export const find = ({ db }: Ctx, site: string): Promise<Row | undefined> =>
  db.selectFrom("publishing_auth").selectAll().where("site", "=", site).executeTakeFirst();

export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("publishing_auth").values(row).returningAll().executeTakeFirstOrThrow();

export const update = ({ db }: Ctx, site: string, set: Updateable<Table>): Promise<Row> =>
  db
    .updateTable("publishing_auth")
    .set({ ...set, updated_at: sql`now()` })
    .where("site", "=", site)
    .returningAll()
    .executeTakeFirstOrThrow();
