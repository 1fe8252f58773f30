import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { z } from "zod";
import type { Envelope, EventType } from "../contracts/events/define.js";
import { transact } from "../database/transact.js";
import type { Subscription } from "../events/listen.js";
import { newId } from "../ids.js";

/** The payloads of an event that the service has emitted so far, in their order. */
export async function emitted<Payload extends z.ZodType>(
  ctx: { db: QueryExecutorProvider },
  event: EventType<Payload>,
): Promise<z.output<Payload>[]> {
  const { rows } = await sql<{ body: Envelope }>`
    select body from outbox where name = ${event.name} order by position`.execute(ctx.db);
  return rows.map(({ body }) => event.payload.parse(body.payload));
}

/** Hands an event to the service's own handlers, in one transaction, as if it had come from its source. */
export async function deliver<Context extends { db: Kysely<Database> }, Database, Payload extends z.ZodType>(
  ctx: Context & { db: Kysely<Database> },
  subscriptions: Subscription<Context>[],
  event: EventType<Payload>,
  aggregate: string,
  payload: z.input<Payload>,
): Promise<void> {
  const happened = { id: newId(), name: event.name, aggregate, occurredAt: new Date().toISOString() };
  await transact<Context, Database, void>(ctx, async (ctx) => {
    for (const each of subscriptions.filter((one) => one.event.name === event.name)) {
      await each.handle({ ctx, payload, event: happened });
    }
  });
}
