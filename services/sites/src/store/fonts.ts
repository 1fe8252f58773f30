import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["font"];
export type Row = Selectable<Table>;

const all = ({ db }: Ctx, organization: string) =>
  db.selectFrom("font").selectAll().where("organization", "=", organization);

/** Waits for its turn on the fonts of an organization until the transaction ends. */
export const lockFonts = async ({ db }: Pick<Ctx, "db">, organization: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`fonts ${organization}`}, 0))`.execute(db);
};

/** Returns the fonts of an organization, sorted by id. */
export const ofOrganization = (ctx: Ctx, organization: string): Promise<Row[]> =>
  all(ctx, organization).orderBy("id").execute();

/** Finds a font of an organization. */
export const find = (ctx: Ctx, organization: string, id: string): Promise<Row | undefined> =>
  all(ctx, organization).where("id", "=", id).executeTakeFirst();

/** Inserts a font, and returns its row. */
export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("font").values(row).returningAll().executeTakeFirstOrThrow();

/** Changes a font, and returns its row. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>): Promise<Row> =>
  db
    .updateTable("font")
    .set({ ...set, updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes a font. */
export const remove = async ({ db }: Ctx, id: string): Promise<void> => {
  await db.deleteFrom("font").where("id", "=", id).execute();
};
