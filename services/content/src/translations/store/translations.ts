import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["translation"];
export type Row = Selectable<Table>;

/** Selects the translations of an organization. */
export const inOrganization = ({ db }: Pick<Ctx, "db">, organization: string) =>
  db.selectFrom("translation").selectAll().where("organization", "=", organization);

/** Finds a translation of an organization. */
export const find = (ctx: Ctx, organization: string, id: string): Promise<Row | undefined> =>
  inOrganization(ctx, organization).where("id", "=", id).executeTakeFirst();

/** Finds a translation of an organization, and locks it until the transaction ends. */
export const lock = (ctx: Ctx, organization: string, id: string): Promise<Row | undefined> =>
  inOrganization(ctx, organization).where("id", "=", id).forUpdate().executeTakeFirst();

/** Inserts a translation. */
export const insert = ({ db }: Ctx, values: Insertable<Table>): Promise<Row> =>
  db.insertInto("translation").values(values).returningAll().executeTakeFirstOrThrow();

/** Changes columns of a translation; undefined when it is gone. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>): Promise<Row | undefined> =>
  db.updateTable("translation").set(set).where("id", "=", id).returningAll().executeTakeFirst();

/** Removes a translation. */
export const remove = ({ db }: Ctx, id: string) =>
  db.deleteFrom("translation").where("id", "=", id).execute();

/** Notes that a run has begun. */
export const begin = (ctx: Ctx, id: string) => update(ctx, id, { status: "running", error: null });

/** Notes why a run made nothing. One that never made anything is as it was before its first run. */
export const fail = ({ db, clock }: Ctx, id: string, error: NonNullable<Row["error"]>) =>
  db
    .updateTable("translation")
    .set({
      status: sql`case when result_revision is null then 'pending' else 'completed' end`,
      error: JSON.stringify(error),
      updated_at: clock(),
    })
    .where("id", "=", id)
    .execute();

/** Translations whose source has moved on since it was translated, those that were changed first before others. */
export async function outdated({ db }: Ctx, most: number): Promise<Pick<Row, "id" | "organization">[]> {
  const { rows } = await sql<Pick<Row, "id" | "organization">>`
    select t.id, t.organization from translation t join space s on s.id = t.space
    where t.source_revision is not null and t.status <> 'running' and s.deleted_at is null
      and s.organization = t.organization and s.revision <> t.source_revision
    order by t.updated_at limit ${most}`.execute(db);
  return rows;
}
