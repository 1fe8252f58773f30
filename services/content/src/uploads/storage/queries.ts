import { type Insertable, type Selectable, sql } from "kysely";
import type { StorageUploadTable } from "../../db/tables/uploads.js";
import type { Ctx } from "../../trpc.js";

export type Row = Selectable<StorageUploadTable>;

/** Serializes what adds uploads to an organization, until the end of the transaction. */
export const lockUploads = async ({ db }: Pick<Ctx, "db">, organization: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${organization}`}, 0))`.execute(db);
};

/** Counts the uploads of an organization, begun or done, and the bytes that they were announced with. */
export async function held(
  { db }: Pick<Ctx, "db">,
  organization: string,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(size), 0)::float8 as bytes from storage_upload
    where organization = ${organization}`.execute(db);
  return rows[0]!;
}

/** Notes an upload that may come in. */
export const insert = ({ db }: Pick<Ctx, "db">, row: Insertable<StorageUploadTable>): Promise<Row> =>
  db.insertInto("storage_upload").values(row).returningAll().executeTakeFirstOrThrow();

/** Finds an upload of an organization that may still come in. */
export const findOpen = (
  { db, clock }: Pick<Ctx, "db" | "clock">,
  organization: string,
  key: string,
): Promise<Row | undefined> =>
  db
    .selectFrom("storage_upload")
    .selectAll()
    .where("organization", "=", organization)
    .where("id", "=", key)
    .where("expires_at", ">", clock().toISOString())
    .executeTakeFirst();

/** Notes what came in; undefined when the upload is gone, or something else came in before. */
export const complete = ({ db }: Pick<Ctx, "db">, key: string, content: string) =>
  db
    .updateTable("storage_upload")
    .set({ content })
    .where("id", "=", key)
    .where((where) => where.or([where("content", "is", null), where("content", "=", content)]))
    .returning("id")
    .executeTakeFirst();

/** Keeps those of the uploads that came in, of this organization and kind, for good. */
export const take = (
  { db, clock }: Pick<Ctx, "db" | "clock">,
  { organization, kind, keys }: { organization: string; kind: string; keys: string[] },
): Promise<Row[]> =>
  db
    .updateTable("storage_upload")
    .set((set) => ({ taken_at: set.fn.coalesce("taken_at", set.val(clock())) }))
    .where("organization", "=", organization)
    .where("kind", "=", kind)
    .where("id", "in", keys)
    .where("content", "is not", null)
    .returningAll()
    .execute();

/** Finds an upload of an organization and kind that came in, and is still there. */
export const findSent = (
  { db }: Pick<Ctx, "db">,
  organization: string,
  key: string,
  kind: string,
): Promise<Row | undefined> =>
  db
    .selectFrom("storage_upload")
    .selectAll()
    .where("organization", "=", organization)
    .where("id", "=", key)
    .where("kind", "=", kind)
    .where("content", "is not", null)
    .executeTakeFirst();

/** Finds a file with this content to which something of the organization refers, by its name. */
export const findTaken = (
  { db }: Pick<Ctx, "db">,
  { organization, content, name }: { organization: string; content: string; name: string },
): Promise<Row | undefined> =>
  db
    .selectFrom("storage_upload")
    .selectAll()
    .where("organization", "=", organization)
    .where("content", "=", content)
    .where("name", "=", name)
    .where("taken_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
