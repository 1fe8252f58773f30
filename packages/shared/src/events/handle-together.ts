import { type Kysely, sql } from "kysely";
import type { Envelope } from "../contracts/events/define.js";
import { arrayOf } from "../database/any-of.js";
import type { SharedTables } from "../database/shared-tables.js";
import { transact } from "../database/transact.js";
import { type InboxOptions, WAITING, within } from "./handling.js";
import type { Subscription } from "./listen.js";

/** Rows of one transaction at most, and bytes of them (as PostgreSQL stores them). */
const ROWS = 200;
const BYTES = 1_000_000;

/** An event as it was published; its publisher is absent when it came in before events were signed. */
type Published = Envelope & { publisher?: string };

interface Row {
  id: string;
  body: Published;
}

/** The names of the events whose handlers all take many at once. */
export function namesTogether<Context>(subscriptions: Subscription<Context>[]): string[] {
  return namesOfAll(subscriptions, ({ handleMany }) => handleMany !== undefined);
}

/** The names of those whose handlers all need no inbox. */
export function namesAtOnce<Context>(subscriptions: Subscription<Context>[]): string[] {
  return namesOfAll(
    subscriptions,
    ({ handleMany, repeatable }) => handleMany !== undefined && repeatable === true,
  );
}

function namesOfAll<Context>(
  subscriptions: Subscription<Context>[],
  is: (subscription: Subscription<Context>) => boolean,
): string[] {
  const names = new Set(subscriptions.map(({ event }) => event.name));
  for (const subscription of subscriptions) if (!is(subscription)) names.delete(subscription.event.name);
  return [...names];
}

/**
 * Handles what waits of the named events in one transaction, in no particular order; returns how many they were. When one
 * of them fails, none is handled: who calls has them handled one by one.
 */
export async function handleTogether<Context, Database extends SharedTables>(
  options: InboxOptions<Context, Database>,
  names: string[],
  stop: AbortSignal,
): Promise<number> {
  return transact({ db: options.db }, async ({ db }) => {
    const { rows } = await sql<Row>`
      select id, body from inbox where position in (
        select position from (
          select position, sum(pg_column_size(body)) over (order by position) - pg_column_size(body) as before
          from (select position, body from inbox where ${WAITING} and due_at <= now() and name = any(${names}::text[])
            order by position limit ${ROWS}) as due
        ) as sized where before < ${BYTES})
      and ${WAITING} for update skip locked`.execute(db);
    if (rows.length === 0) return 0;
    await handleMany(
      options,
      db,
      rows.map(({ body }) => body),
      stop,
    );
    const ids = rows.map(({ id }) => id);
    await sql`update inbox set handled_at = now(), error = null where id = any(${arrayOf(ids)})`.execute(db);
    return rows.length;
  });
}

/** Has events handled, in the transaction of `db`, by the handlers that take many at once. */
export async function handleMany<Context, Database extends SharedTables>(
  { subscriptions, context, log, retry }: InboxOptions<Context, Database>,
  db: Kysely<Database>,
  published: Published[],
  stop: AbortSignal,
): Promise<void> {
  const deadline = AbortSignal.timeout(retry.deadlineMs);
  const signal = AbortSignal.any([stop, deadline]);
  for (const { event, handleMany } of subscriptions) {
    const events = published
      .filter(({ name }) => name === event.name)
      .map(({ id, name, aggregate, occurredAt, payload, publisher }) => ({
        payload,
        event: { id, name, aggregate, occurredAt, publisher },
      }));
    if (!handleMany || events.length === 0) continue;
    const bound = log.child({ eventName: event.name, events: events.length });
    const ctx = context({ db, log: bound, requestId: events[0]!.event.id, signal });
    await within(handleMany({ ctx, events }), deadline);
  }
}
