import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";
import { type OfOrganization, whereExists } from "./where-exists.js";

type Table = Database["webhook"];
type Secrets = "secret" | "previous_secret";
export type Row = Omit<Selectable<Table>, Secrets>;
/** With its sealed secrets. */
export type Sealed = Selectable<Table>;

const COLUMNS = [
  "id",
  "organization",
  "url",
  "description",
  "types",
  "status",
  "paused_because",
  "paused_at",
  "previous_until",
  "failing_since",
  "created_at",
  "updated_at",
] as const;

/** The webhooks of an organization. */
export const ofOrganization = ({ db }: Ctx, organization: string) =>
  db.selectFrom("webhook").select(COLUMNS).where("organization", "=", organization);

/** How many webhooks an organization has. */
export async function count({ db }: Ctx, organization: string): Promise<number> {
  const { webhooks } = await db
    .selectFrom("webhook")
    .select((of) => of.fn.countAll<number>().as("webhooks"))
    .where("organization", "=", organization)
    .executeTakeFirstOrThrow();
  return Number(webhooks);
}

/** Lets those who create webhooks of an organization take turns. */
export const holdOrganization = ({ db }: Ctx, organization: string) =>
  sql`select pg_advisory_xact_lock(hashtext(current_schema() || '.webhook'), hashtext(${organization}))`.execute(
    db,
  );

/** A webhook of an organization. */
export const find = (ctx: Ctx, organization: string, id: string): Promise<Row | undefined> =>
  ofOrganization(ctx, organization).where("id", "=", id).executeTakeFirst();

/** A webhook of an organization, held until the end of the transaction. */
export const lock = (ctx: Ctx, organization: string, id: string): Promise<Row | undefined> =>
  ofOrganization(ctx, organization).where("id", "=", id).forUpdate().executeTakeFirst();

/** A webhook with its sealed secrets. */
export const byId = ({ db }: Ctx, id: string): Promise<Sealed | undefined> =>
  db
    .selectFrom("webhook")
    .select([...COLUMNS, "secret", "previous_secret"])
    .where("id", "=", id)
    .executeTakeFirst();

/** A webhook, held until the end of the transaction. */
export const lockById = ({ db }: Ctx, id: string): Promise<Row | undefined> =>
  db.selectFrom("webhook").select(COLUMNS).where("id", "=", id).forUpdate().executeTakeFirst();

/** Returns for each item, in order, whether its organization has a webhook. */
export const hasWebhooks = (ctx: Ctx, items: OfOrganization[]) =>
  whereExists(ctx, items, sql`select from webhook where webhook.organization = asked.organization`);

/** The webhooks of an organization that subscribe to a type, locked so that none is removed meanwhile. */
export const listeningTo = (ctx: Ctx, organization: string, type: Row["types"][number]) =>
  ofOrganization(ctx, organization)
    .where(sql<boolean>`types @> ${[type]}::text[]`)
    .orderBy("id")
    .forShare()
    .execute();

/** Inserts a webhook. */
export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("webhook").values(row).returning(COLUMNS).executeTakeFirstOrThrow();

/** Changes columns and returns the row. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>): Promise<Row> =>
  db
    .updateTable("webhook")
    .set({ ...set, updated_at: sql`now()` })
    .where("id", "=", id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Puts a sealed secret in the place of the one before, which holds until a time, if one is given. */
export const rotate = (
  ctx: Ctx,
  id: string,
  { secret, until }: { secret: string; until: string | null },
): Promise<Row> =>
  ctx.db
    .updateTable("webhook")
    .set((of) => ({
      secret,
      previous_until: until,
      updated_at: sql`now()`,
      previous_secret: until === null ? null : of.ref("secret"),
    }))
    .where("id", "=", id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Deletes a webhook with its deliveries. */
export const remove = ({ db }: Ctx, id: string) => db.deleteFrom("webhook").where("id", "=", id).execute();

/** Notes that something was delivered. */
export async function noteSuccess({ db }: Ctx, id: string): Promise<void> {
  await db.updateTable("webhook").set({ failing_since: null }).where("id", "=", id).execute();
}

/** Notes since when nothing could be delivered. */
export async function noteFailure({ db }: Ctx, id: string, since: string): Promise<void> {
  await db.updateTable("webhook").set({ failing_since: since }).where("id", "=", id).execute();
}
