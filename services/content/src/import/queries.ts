import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";
import type { Skipped } from "./material/skipped.js";

type Table = Database["content_import"];
export type Row = Selectable<Table>;

/** Imports of a space that are remembered after their end. */
const KEPT = 100;

/** For what the request of an import is sealed. */
export const requestOf = (id: string) => ({ kind: "content_import.request", id });

/** Selects the imports of a space. */
export const inSpace = ({ db }: Pick<Ctx, "db">, space: string) =>
  db.selectFrom("content_import").selectAll().where("space", "=", space);

/** Finds an import of a space. */
export const find = (ctx: Pick<Ctx, "db">, space: string, id: string): Promise<Row | undefined> =>
  inSpace(ctx, space).where("id", "=", id).executeTakeFirst();

/** Inserts an import, and forgets the oldest of its space that have ended. */
export async function insert({ db }: Ctx, row: Insertable<Table>): Promise<void> {
  await db.insertInto("content_import").values(row).execute();
  await sql`delete from content_import where space = ${row.space} and completed_at is not null and id <= (
    select id from content_import where space = ${row.space} order by id desc offset ${KEPT} limit 1)`.execute(
    db,
  );
}

/** How many imports of an organization have not ended. */
export async function countOpen({ db }: Ctx, organization: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from content_import i
    join space s on s.id = i.space where s.organization = ${organization} and i.completed_at is null`.execute(
    db,
  );
  return rows[0]!.count;
}

/** Notes that a try of an import begins; undefined when it has ended, or is gone. */
export const begin = ({ db, clock }: Ctx, id: string): Promise<Row | undefined> =>
  db
    .updateTable("content_import")
    .set({ state: "in-progress", updated_at: clock() })
    .where("id", "=", id)
    .where("completed_at", "is", null)
    .returningAll()
    .executeTakeFirst();

/** Notes how much there is to import, and what of it is left out. */
export const noteFound = ({ db, clock }: Ctx, id: string, count: number, skipped: Skipped) =>
  db
    .updateTable("content_import")
    .set({ total: count + skipped.total, skipped: JSON.stringify(skipped.list()), updated_at: clock() })
    .where("id", "=", id)
    .where("completed_at", "is", null)
    .execute();

/** Ends an import with the revision that it made and the number of pages that it imported. Throws when it has ended already: nothing is imported twice. */
export async function complete(
  { db, clock }: Ctx,
  id: string,
  { revision, imported, skipped }: { revision: string; imported: number; skipped: Skipped },
): Promise<void> {
  const ended = await db
    .updateTable("content_import")
    .set({
      state: "completed",
      request: "",
      revision,
      imported,
      total: imported + skipped.total,
      skipped: JSON.stringify(skipped.list()),
      updated_at: clock(),
      completed_at: clock(),
    })
    .where("id", "=", id)
    .where("completed_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!ended) throw new Error("The import has ended already");
}

/** Ends an import with what it was refused for; one that has ended already stays as it is. */
export const fail = ({ db, clock }: Ctx, id: string, error: NonNullable<Row["error"]>) =>
  db
    .updateTable("content_import")
    .set({
      state: "failed",
      request: "",
      error: JSON.stringify(error),
      updated_at: clock(),
      completed_at: clock(),
    })
    .where("id", "=", id)
    .where("completed_at", "is", null)
    .execute();
