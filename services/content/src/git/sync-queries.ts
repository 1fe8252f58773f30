import { type Selectable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

export type Row = Selectable<Database["git_sync"]>;

/** For what the settings of a sync are sealed. */
export const settingsOf = (space: string) => ({ kind: "git_sync.settings", id: space });
/** For what the secret of a sync is sealed. */
export const secretOf = (space: string) => ({ kind: "git_sync.secret", id: space });

/** How a space is kept in step; undefined when it is not. */
export const find = ({ db }: Ctx, space: string): Promise<Row | undefined> =>
  db.selectFrom("git_sync").selectAll().where("space", "=", space).executeTakeFirst();

/** Sets how a space is kept in step; a conflict that is open stays known. */
export async function put(
  { db }: Ctx,
  row: Pick<Row, "space" | "settings" | "secret" | "initial" | "created_by">,
): Promise<void> {
  await db
    .insertInto("git_sync")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("space").doUpdateSet({ ...row, paused: null, checked_at: null }),
    )
    .execute();
}

/** Keeps a space in step no longer. */
export const remove = ({ db }: Ctx, space: string) =>
  db.deleteFrom("git_sync").where("space", "=", space).execute();

/**
 * Notes that both sides are in step as far as is known. Settings that were put meanwhile stay as they are: the side that
 * they give the priority is still to come.
 */
export const noteChecked = ({ db, clock }: Ctx, { space, settings }: Pick<Row, "space" | "settings">) =>
  db
    .updateTable("git_sync")
    .set({ initial: null, checked_at: clock() })
    .where("space", "=", space)
    .where("settings", "=", settings)
    .execute();

/** Notes why nothing is done for now, or that it goes on; for the settings that it was decided for. */
export const notePaused = (
  { db, clock }: Ctx,
  { space, settings }: Pick<Row, "space" | "settings">,
  paused: Row["paused"],
) =>
  db
    .updateTable("git_sync")
    .set({ paused, checked_at: clock() })
    .where("space", "=", space)
    .where("settings", "=", settings)
    .execute();

/** Notes a change request that is in conflict with what was imported. */
export const noteConflict = ({ db }: Ctx, space: string, changeRequest: string) =>
  sql`update git_sync set conflicts = array_append(conflicts, ${changeRequest}) where space = ${space}`.execute(
    db,
  );

/** Notes that a change request is in conflict no longer. */
export const endConflict = ({ db }: Ctx, space: string, changeRequest: string) =>
  sql`update git_sync set conflicts = array_remove(conflicts, ${changeRequest}),
      pending = nullif(pending, ${changeRequest})
    where space = ${space}`.execute(db);

/** The change requests that were in conflict, the oldest first. The previous release kept one apart. */
export const conflictsOf = ({ pending, conflicts }: Row): string[] =>
  pending === null ? conflicts : [pending, ...conflicts];

/** The oldest change request in conflict that nobody merged or archived; undefined when there is none. */
export async function openConflict({ db }: Ctx, row: Row): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select c.id from change_request c
    join unnest(${conflictsOf(row)}::text[]) with ordinality as o (id, nth) on o.id = c.id
    where c.status in ('draft', 'open') order by o.nth limit 1`.execute(db);
  return rows[0]?.id;
}

/** Spaces whose branch was not looked at since a time, in the order of their names. */
export async function unchecked({ db }: Ctx, since: Date, last: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ space: string }>`select s.space from git_sync s
    where s.space > ${last} and (s.checked_at is null or s.checked_at < ${since.toISOString()})
    order by s.space limit ${most}`.execute(db);
  return rows.map(({ space }) => space);
}
