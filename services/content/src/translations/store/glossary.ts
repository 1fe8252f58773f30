import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";

/** Selects the entries of an organization's glossary. */
export const inOrganization = ({ db }: Pick<Ctx, "db">, organization: string) =>
  db.selectFrom("glossary_entry").selectAll().where("organization", "=", organization);

/** Finds an entry of an organization's glossary. */
export const find = (ctx: Ctx, organization: string, id: string) =>
  inOrganization(ctx, organization).where("id", "=", id).executeTakeFirst();

/** Makes this transaction the only one that changes the glossary of an organization. */
export const lock = ({ db }: Ctx, organization: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || '.glossary.' || ${organization}, 0))`.execute(
    db,
  );

/** Counts the entries of an organization's glossary. */
export async function count({ db }: Ctx, organization: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from glossary_entry where organization = ${organization}`.execute(db);
  return rows[0]!.count;
}

interface Written {
  id: string;
  translations: Record<string, string>;
}

/** Inserts entries. */
export const insert = ({ db, clock }: Ctx, organization: string, entries: Written[]) =>
  sql`insert into glossary_entry (id, organization, translations, created_at, updated_at)
    select e.id, ${organization}, e.translations, ${clock()}, ${clock()}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id text, translations jsonb)`.execute(
    db,
  );

/** Changes entries; returns the ids of those that there are. */
export async function update(
  { db, clock }: Ctx,
  organization: string,
  entries: Written[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update glossary_entry g set translations = e.translations, updated_at = ${clock()}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id text, translations jsonb)
    where g.organization = ${organization} and g.id = e.id returning g.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Removes entries. */
export const remove = ({ db }: Ctx, organization: string, ids: string[]) =>
  sql`delete from glossary_entry where organization = ${organization} and id = any(${ids})`.execute(db);
