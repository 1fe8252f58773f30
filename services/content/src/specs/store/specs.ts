import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["openapi_spec"];

/** All but the text of the source, which may be long. */
const columns = [
  "id",
  "organization",
  "slug",
  "source_url",
  "visibility",
  "processing_state",
  "source_number",
  "last_version",
  "last_processed_at",
  "error_code",
  "errors",
  "created_at",
  "updated_at",
] as const;
export type Row = Pick<Selectable<Table>, (typeof columns)[number]>;

/** Selects the specifications of an organization. */
export const inOrganization = ({ db }: Ctx, organization: string) =>
  db.selectFrom("openapi_spec").select(columns).where("organization", "=", organization);

/** Finds the specification with a slug. */
export const find = (ctx: Ctx, organization: string, slug: string): Promise<Row | undefined> =>
  inOrganization(ctx, organization).where("slug", "=", slug).executeTakeFirst();

/** Finds the specification with a slug, and locks it until the transaction ends. */
export const lock = (ctx: Ctx, organization: string, slug: string): Promise<Row | undefined> =>
  inOrganization(ctx, organization).where("slug", "=", slug).forUpdate().executeTakeFirst();

/** Finds a specification by its id, and locks it until the transaction ends. */
export const lockById = ({ db }: Ctx, id: string): Promise<Row | undefined> =>
  db.selectFrom("openapi_spec").select(columns).where("id", "=", id).forUpdate().executeTakeFirst();

/** Inserts a specification; undefined when the organization has one with that slug. */
export const insert = ({ db }: Ctx, values: Insertable<Table>): Promise<Row | undefined> =>
  db
    .insertInto("openapi_spec")
    .values(values)
    .onConflict((conflict) => conflict.columns(["organization", "slug"]).doNothing())
    .returning(columns)
    .executeTakeFirst();

/** Changes columns of a specification. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>): Promise<Row> =>
  db.updateTable("openapi_spec").set(set).where("id", "=", id).returning(columns).executeTakeFirstOrThrow();

/** Gives a specification another source, or the same again; what runs on the former one is dropped. */
export const setSource = (
  { db, clock }: Ctx,
  id: string,
  source: Pick<Updateable<Table>, "source_url" | "source_text">,
): Promise<Row> =>
  db
    .updateTable("openapi_spec")
    .set({ ...source, processing_state: "pending", check_at: null, updated_at: clock() })
    .set((of) => ({ source_number: of("source_number", "+", 1) }))
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();

/** Removes a specification with its versions. */
export const remove = ({ db }: Ctx, id: string) =>
  db.deleteFrom("openapi_spec").where("id", "=", id).execute();

/** Notes that a specification is being processed; returns its source, or nothing when it is gone. */
export const begin = ({ db }: Ctx, id: string) =>
  db
    .updateTable("openapi_spec")
    .set({ processing_state: "progress" })
    .where("id", "=", id)
    .returning(["id", "source_number", "source_url", "source_text", "last_version"])
    .executeTakeFirst();

/** Locks specifications whose source is to be fetched again, those that wait longest first; others are passed over. */
export const lockDue = ({ db, clock }: Ctx, most: number) =>
  db
    .selectFrom("openapi_spec")
    .select(["id", "organization"])
    .where("check_at", "<=", clock().toISOString())
    .orderBy("check_at")
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
