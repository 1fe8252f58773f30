import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

const COLUMNS = [
  "id",
  "integration",
  "installation",
  "organization",
  "content_installation",
  "payload",
  "status",
  "created_at",
] as const;

export type Row = Pick<Selectable<Database["event"]>, (typeof COLUMNS)[number]>;

/** Inserts an event that waits for its delivery by a job of its own. */
export const insert = ({ db }: Ctx, row: Insertable<Database["event"]>) =>
  db.insertInto("event").values(row).execute();

type Delivered = Required<
  Pick<Insertable<Database["event"]>, "id" | "organization" | "installation" | "payload" | "logs">
> & {
  integration: string;
  content_installation: string | null;
  status: "success" | "failed";
};

/** Inserts an event whose delivery has ended; nothing where its integration is gone. */
export async function insertDelivered({ db }: Ctx, row: Delivered): Promise<void> {
  await sql`
    insert into event (id, integration, organization, installation, content_installation, payload, status, logs, delivered_at)
    select ${row.id}, id, ${row.organization}, ${row.installation}, ${row.content_installation}, ${row.payload}::jsonb,
      ${row.status}, ${row.logs}::jsonb, now()
    from integration where id = ${row.integration} for key share`.execute(db);
}

/** The delivered events of an integration, newest first by (created_at, id); of these organizations alone, if any are named. */
export const delivered = ({ db }: Ctx, integration: string, organizations: string[] | undefined) =>
  db
    .selectFrom("event")
    .select(COLUMNS)
    .where("integration", "=", integration)
    .where("status", "is not", null)
    .$if(organizations !== undefined, (query) => query.where("organization", "=", anyOf(organizations!)));

/** Finds a delivered event of an integration with its logs; of these organizations alone, if any are named. */
export const find = (ctx: Ctx, integration: string, organizations: string[] | undefined, id: string) =>
  delivered(ctx, integration, organizations).select("logs").where("id", "=", id).executeTakeFirst();

/** An event that was not delivered yet. */
export const waiting = ({ db }: Ctx, id: string): Promise<Row | undefined> =>
  db.selectFrom("event").select(COLUMNS).where("id", "=", id).where("status", "is", null).executeTakeFirst();

/** The first event of the same installation that happened before this one and waits as well. */
export const firstBefore = async ({ db }: Ctx, { id, installation }: Row): Promise<Row | undefined> =>
  installation === null
    ? undefined
    : db
        .selectFrom("event")
        .select(COLUMNS)
        .where("installation", "=", installation)
        .where("id", "<", id)
        .where("status", "is", null)
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();

/** How many tasks of an integration wait. */
export async function waitingTasks({ db }: Ctx, integration: string): Promise<number> {
  const { count } = await db
    .selectFrom("event")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("integration", "=", integration)
    .where("installation", "is", null)
    .where("status", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Drops the tasks of an integration that wait; the jobs that were to deliver them find nothing. */
export const dropTasks = ({ db }: Ctx, integration: string) =>
  db
    .deleteFrom("event")
    .where("integration", "=", integration)
    .where("installation", "is", null)
    .where("status", "is", null)
    .execute();

/** Adds entries to the log of an event that was delivered. */
export const appendLogs = ({ db }: Ctx, id: string, logs: string) =>
  db
    .updateTable("event")
    .set({ logs: sql`coalesce(logs, '[]'::jsonb) || ${logs}::jsonb` })
    .where("id", "=", id)
    .where("status", "is not", null)
    .execute();

/** Records that nothing came of an event that was delivered, and why. */
export const markFailed = ({ db }: Ctx, id: string, logs: string) =>
  db
    .updateTable("event")
    .set({ status: "failed", logs: sql`coalesce(logs, '[]'::jsonb) || ${logs}::jsonb` })
    .where("id", "=", id)
    .where("status", "is not", null)
    .execute();

/** Drops the undelivered events of an organization's installations about a space. */
export const letGo = ({ db }: Ctx, organization: string, space: string) =>
  db
    .deleteFrom("event")
    .where("status", "is", null)
    .where("organization", "=", organization)
    .where(sql<boolean>`payload->>'spaceId' = ${space}`)
    // Until its integration was notified, what was removed stays.
    .where(sql<boolean>`payload->>'type' <> 'space_installation_deleted'`)
    .execute();

/** Removes up to `most` of the events that were delivered longer ago than so many days; returns how many. */
export async function dropOlder({ db }: Ctx, days: number, most: number): Promise<number> {
  const old = db
    .selectFrom("event")
    .select("id")
    .where("delivered_at", "<", sql<string>`now() - ${days} * interval '1 day'`)
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom("event").where("id", "in", old).executeTakeFirst();
  return Number(numDeletedRows);
}
