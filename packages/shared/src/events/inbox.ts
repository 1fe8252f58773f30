import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { ZodError } from "zod";
import type { Envelope } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { transact } from "../database/transact.js";
import { handleTogether, namesTogether } from "./handle-together.js";
import { type InboxOptions, WAITING, within } from "./handling.js";
import { createPace } from "./pace.js";
import type { WakeSignal } from "./wake-signal.js";

interface Head {
  id: string;
  aggregate: string;
}

const POLL_MS = 1_000;
/** How often a failure to handle anything is logged. */
const COMPLAIN_MS = 60_000;
/** How long a row is left to the other copy that handles it. */
const TAKEN_MS = 250;

class Taken extends Error {}

/**
 * Handles the rows of the inbox until the signal aborts: per aggregate one after the other, different ones side
 * by side. A row that fails holds up its aggregate until it succeeds or is parked, and nobody else. After a look-up
 * that found nothing there is a pause, so that what comes next gathers.
 */
export async function handleInbox<Context, Database extends SharedTables>(
  options: InboxOptions<Context, Database>,
  bell: WakeSignal,
  signal: AbortSignal,
  pace = createPace(),
): Promise<void> {
  const { concurrency, log } = options;
  const busy = new Map<string, Promise<void>>();

  const start = (head: Head) => {
    const chain = handleChain(options, head, bell, signal)
      .catch((error: unknown) => {
        log.warn({ err: error, event: head.id }, "the outcome of an event could not be written");
        return sleep(POLL_MS);
      })
      .finally(() => {
        busy.delete(head.aggregate);
        bell.notify();
      });
    busy.set(head.aggregate, chain);
  };

  let complainedAt = -Infinity;
  const complain = (err: unknown): Head[] => {
    if (Date.now() - complainedAt > COMPLAIN_MS) {
      log.error({ err }, "events that came in cannot be looked up, none is handled");
      complainedAt = Date.now();
    }
    return [];
  };

  const together = namesTogether(options.subscriptions);
  let joint = Promise.resolve();
  let isJoint = false;
  /** Events of these names that could not be handled together are handled one by one, which shows which of them failed. */
  let apart = false;
  const startTogether = () => {
    if (isJoint || together.length === 0) return;
    isJoint = true;
    joint = handleTogether(options, together, signal).then(
      (count) => {
        isJoint = false;
        if (count > 0) bell.notify();
      },
      () => {
        isJoint = false;
        apart = true;
        bell.notify();
      },
    );
  };

  while (!signal.aborted) {
    if (!apart) startTogether();
    const passed = apart ? [] : together;
    apart = false;
    const places = concurrency - busy.size;
    const heads = await dueHeads(options.db, [...busy.keys()], passed, places).catch(complain);
    for (const head of heads) start(head);
    await bell.wait(POLL_MS, signal);
    // Those that are handled one by one keep every place at work.
    if (heads.length === 0) await pace(signal);
  }
  await Promise.all([...busy.values(), joint]);
}

/** The first waiting row of each aggregate that nobody is busy with, when its time has come; none of the names passed. */
async function dueHeads<Database>(
  db: Kysely<Database>,
  busy: string[],
  passed: string[],
  limit: number,
): Promise<Head[]> {
  const { rows } = await sql<Head>`
    select id, aggregate from inbox as row
    where ${WAITING} and due_at <= now() and aggregate <> all(${busy}::text[])
    and name <> all(${passed}::text[])
    and not exists (
      select 1 from inbox as earlier
      where earlier.aggregate = row.aggregate and earlier.position < row.position
      and earlier.handled_at is null and earlier.parked_at is null)
    order by position limit ${limit}`.execute(db);
  return rows;
}

/** Handles the rows of one aggregate until there is none, or one fails. */
async function handleChain<Context, Database extends SharedTables>(
  options: InboxOptions<Context, Database>,
  head: Head,
  bell: WakeSignal,
  signal: AbortSignal,
) {
  for (let next: string | undefined = head.id; next && !signal.aborted; ) {
    const id: string = next;
    try {
      next = await handle(options, id, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Taken) return void (await sleep(TAKEN_MS));
      return await fail(options, id, error, bell);
    }
  }
}

interface Row extends Head {
  position: number;
  body: Envelope & { publisher?: string };
}

/** Handles one row in one transaction; returns the id of the next row of the aggregate. */
async function handle<Context, Database extends SharedTables>(
  options: InboxOptions<Context, Database>,
  id: string,
  stop: AbortSignal,
): Promise<string | undefined> {
  const { subscriptions, context, log, retry } = options;
  const deadline = AbortSignal.timeout(retry.deadlineMs);
  const signal = AbortSignal.any([stop, deadline]);
  return transact({ db: options.db }, async ({ db }) => {
    const { rows } = await sql<Row>`
      select id, position, aggregate, body from inbox where id = ${id} and ${WAITING}
      for update skip locked`.execute(db);
    const row = rows[0];
    // Another copy is at it: a leader that lost its turn and has not noticed yet.
    if (!row) throw new Taken();
    const { name, aggregate, occurredAt, payload, requestId = id, traceparent } = row.body;
    const event = { id, name, aggregate, occurredAt, publisher: row.body.publisher };
    for (const { handle, state } of subscriptions.filter((each) => each.event.name === name)) {
      if (state && !(await isNewest(db, state, row.body))) continue;
      const bound = log.child({ event: id, eventName: name, requestId });
      const ctx = context({ db, log: bound, requestId, traceparent, signal });
      await within(handle({ ctx, payload, event }), deadline);
    }
    return finish(db, row);
  });
}

/**
 * Whether no later event of this state of the aggregate was handled, and notes that this one is. An event that was
 * parked may be tried again after later ones.
 */
async function isNewest<Database>(
  db: Kysely<Database>,
  state: string,
  { aggregate, order, occurredAt }: Envelope,
) {
  const { rows } = await sql`
    insert into event_state (state, aggregate, newest) values (${state}, ${aggregate},
      ${order ?? Date.parse(occurredAt) * 1000})
    on conflict (state, aggregate) do update set newest = excluded.newest
      where event_state.newest <= excluded.newest
    returning 1`.execute(db);
  return rows.length > 0;
}

async function finish<Database>(db: Kysely<Database>, { id, aggregate, position }: Row) {
  const { rows } = await sql<{ id: string }>`
    with handled as (update inbox set handled_at = now(), error = null where id = ${id})
    select id from inbox
    where aggregate = ${aggregate} and position > ${position} and ${WAITING} and due_at <= now()
    order by position limit 1`.execute(db);
  return rows[0]?.id;
}

/** Writes down a failure. Rings when it is time for the next try, unless the row is parked. */
async function fail<Context, Database extends SharedTables>(
  { db, retry, log }: InboxOptions<Context, Database>,
  id: string,
  error: unknown,
  bell: WakeSignal,
): Promise<void> {
  const text = (error instanceof Error ? (error.stack ?? error.message) : String(error))
    .replaceAll("\0", "")
    .slice(0, 4_000);
  // A payload that breaks its contract will not mend by waiting.
  const most = error instanceof ZodError ? 1 : retry.attempts;
  const { rows } = await sql<{ parked: boolean; attempts: number; pause: number }>`
    update inbox set
      attempts = attempts + 1,
      error = ${text},
      parked_at = case when attempts + 1 >= ${most} then now() end,
      due_at = now() + interval '1 millisecond' *
        least(${retry.maxMs}::float8, ${retry.baseMs}::float8 * power(3, least(attempts, 20)))
    where id = ${id} and ${WAITING}
    returning parked_at is not null as parked, attempts,
      extract(epoch from due_at - now())::float8 * 1000 + 1 as pause`.execute(db);
  const row = rows[0];
  if (!row) return;
  const { parked, attempts, pause } = row;
  if (parked) {
    log.error({ err: error, event: id, attempts }, "an event is parked");
  } else {
    log.warn({ err: error, event: id, attempts }, "handling an event failed, it will be tried again");
    setTimeout(bell.notify, pause).unref();
  }
}
