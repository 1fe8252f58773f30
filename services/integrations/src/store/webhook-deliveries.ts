import { type Insertable, type Selectable, sql } from "kysely";
import type { Database, WebhookAttempt } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["webhook_delivery"];
export type Row = Selectable<Table>;
export type Attempt = WebhookAttempt;

/** Inserts a delivery, which waits by default. */
export const insert = (
  { db }: Ctx,
  row: Omit<Insertable<Table>, "status"> & { status?: Row["status"] },
): Promise<Row> =>
  db
    .insertInto("webhook_delivery")
    .values({
      ...row,
      status: row.status ?? "waiting",
      ...(row.status === "held" && { ended_at: sql<string>`now()` }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** The deliveries of a webhook; those of one status, if one is given. */
export const of = ({ db }: Ctx, webhook: string, status?: Row["status"]) =>
  db
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("webhook", "=", webhook)
    .$if(status !== undefined, (query) => query.where("status", "=", status!));

/** A delivery of a webhook. */
export const find = (ctx: Ctx, webhook: string, id: string): Promise<Row | undefined> =>
  of(ctx, webhook).where("id", "=", id).executeTakeFirst();

/** Up to `most` deliveries that began in a time, the oldest first; replays and tests are no part of it. */
export const between = (
  ctx: Ctx,
  webhook: string,
  { from, to, status }: { from: string; to: string; status?: Row["status"] },
  most: number,
): Promise<Row[]> =>
  of(ctx, webhook, status)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .where("type", "<>", "test")
    .where(sql<boolean>`message = id`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(most)
    .execute();

/** A delivery that has not ended. */
export const waiting = ({ db }: Ctx, id: string): Promise<Row | undefined> =>
  db
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .executeTakeFirst();

/** Records how a delivery ended. */
export async function end(
  { db }: Ctx,
  id: string,
  { status, attempts }: { status: "success" | "failed"; attempts: string },
): Promise<void> {
  await db
    .updateTable("webhook_delivery")
    .set({ status, attempts, next_attempt_at: null, ended_at: sql`now()` })
    .where("id", "=", id)
    .execute();
}

/** Records an attempt that failed, and when the next one is. */
export async function postpone(
  { db }: Ctx,
  id: string,
  { next, attempts }: { next: string; attempts: string },
): Promise<void> {
  await db
    .updateTable("webhook_delivery")
    .set({ next_attempt_at: next, attempts })
    .where("id", "=", id)
    .execute();
}

/** Ends what waits at a webhook that was paused; it can be replayed. */
export const hold = ({ db }: Ctx, webhook: string) =>
  db
    .updateTable("webhook_delivery")
    .set({ status: "held", next_attempt_at: null, ended_at: sql`now()` })
    .where("webhook", "=", webhook)
    .where("status", "=", "waiting")
    .execute();

/** Removes up to `most` of the deliveries that ended longer ago than so many days; returns how many. */
export async function dropOlder({ db }: Ctx, days: number, most: number): Promise<number> {
  const old = db
    .selectFrom("webhook_delivery")
    .select("id")
    .where("ended_at", "<", sql<string>`now() - ${days} * interval '1 day'`)
    .limit(most);
  const { numDeletedRows } = await db
    .deleteFrom("webhook_delivery")
    .where("id", "in", old)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
