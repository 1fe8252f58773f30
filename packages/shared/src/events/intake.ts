import { setTimeout as sleep } from "node:timers/promises";
import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg, nanos, ReplayPolicy } from "nats";
import type { Turn } from "../database/leader.js";
import type { Logger } from "../log.js";
import { type Bell, createBell } from "./bell.js";
import type { Bus } from "./bus.js";
import { isRewound, readCursor, writeCursor } from "./cursor.js";
import { Envelope } from "./define.js";
import { ensureStream, isMissing, type StreamOptions } from "./stream.js";

export interface IntakeOptions extends Required<StreamOptions> {
  /** The name of the durable consumer. */
  service: string;
  /** The names of the events that this service listens to; the others are passed over. */
  names: ReadonlySet<string>;
  bus: Bus;
  log: Pick<Logger, "warn">;
  /** Rung when the connection to NATS changes; wakes the intake. */
  bell: Bell;
  /** Called when rows were added to the inbox. */
  onArrival: () => void;
}

const BATCH = 500;
const RETRY_MS = 1_000;
/** After so much silence the stream is asked whether there is nothing to read. */
const QUIET_MS = 3_000;

/**
 * Moves events from JetStream into the inbox, in the order of the stream, until the turn ends. How far it got
 * is written with the rows, in one statement; after any doubt (a gap, a reconnection, a deleted consumer) the
 * durable is made anew from there. So nothing is lost, and nothing is seen out of order.
 */
export async function takeIn(options: IntakeOptions, { client, signal }: Turn): Promise<void> {
  const { bus, bell, log } = options;
  let troubled = false;
  while (!signal.aborted) {
    if (bus.connection()) {
      try {
        await drain(options, client, signal, () => {
          troubled = false;
        });
      } catch (error) {
        if (!troubled && bus.connection()) log.warn({ err: error }, "events cannot be read, they wait");
        troubled = true;
        // Whatever rings: a stream that is made again while the server still deletes it would lose what it gets.
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
    }
    await bell.wait(RETRY_MS, signal);
  }
}

/** Reads one durable until something about it is in doubt. */
async function drain(
  options: IntakeOptions,
  client: Turn["client"],
  signal: AbortSignal,
  onOpen: () => void,
) {
  const { bus } = options;
  const epoch = bus.epoch();
  const bell = createBell();
  const arrived: JsMsg[] = [];
  let doubt: Error | undefined;
  let delivered = 0;

  const messages = await open(options, client, (message) => {
    delivered += 1;
    if (message.info.deliverySequence !== delivered) doubt ??= new Error("a delivery is missing");
    arrived.push(message);
    bell.ring();
  });
  messages.closed().then((error) => {
    doubt ??= error ?? new Error("the durable consumer is gone");
    bell.ring();
  });
  onOpen();

  try {
    while (!signal.aborted && !doubt && bus.epoch() === epoch) {
      if (arrived.length > 0) {
        await store(options, client, arrived.splice(0, BATCH));
        continue;
      }
      // It may ring for what is stored by now.
      if ((await bell.wait(QUIET_MS, signal)) || signal.aborted || doubt) continue;
      const before = delivered;
      const suspicion = await doubtOf(options, client);
      // What arrived in the meantime was on its way when the stream was asked.
      if (delivered === before) doubt ??= suspicion;
    }
    if (doubt) throw doubt;
  } finally {
    messages.stop();
  }
}

/** Looks whether silence is right: a server may forget a durable's requests, or the stream itself. */
async function doubtOf({ bus, stream, prefix }: IntakeOptions, client: Turn["client"]) {
  const connection = bus.connection();
  if (!connection) return undefined;
  const state = await ensureStream(connection, { stream, prefix });
  const cursor = await readCursor(client, "consumer", stream);
  if (!cursor || isRewound(cursor, state)) return new Error("the event stream is another one");
  if (cursor.sequence < state.lastSequence) return new Error("events are held back");
  return undefined;
}

async function open(
  { bus, service, stream, prefix, log }: IntakeOptions,
  client: Turn["client"],
  callback: (message: JsMsg) => void,
): Promise<ConsumerMessages> {
  const connection = bus.connection();
  if (!connection) throw new Error("NATS is away");
  const state = await ensureStream(connection, { stream, prefix });
  const { consumers } = state.manager;
  const cursor = await readCursor(client, "consumer", stream);
  const fresh = !cursor || isRewound(cursor, state);
  if (fresh) {
    if (cursor) log.warn({ stream }, "the event stream lost its data, it is read from its beginning");
    await writeCursor(client, "consumer", stream, { created: state.created, sequence: 0 });
  }
  await consumers.delete(stream, service).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  const start = fresh || cursor.sequence === 0 ? undefined : cursor.sequence + 1;
  const { num_pending } = await consumers.add(stream, {
    durable_name: service,
    filter_subject: `${prefix}.>`,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(60_000),
    max_ack_pending: 2 * BATCH,
    replay_policy: ReplayPolicy.Instant,
    ...(start
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start }
      : { deliver_policy: DeliverPolicy.All }),
  });
  // What is missing up to the end of the stream has expired, there is nothing to wait for.
  if (num_pending === 0) {
    await writeCursor(client, "consumer", stream, { created: state.created, sequence: state.lastSequence });
  }
  const consumer = await connection.jetstream({ timeout: 5_000 }).consumers.get(stream, service);
  return consumer.consume({ callback, max_messages: BATCH, abort_on_missing_resource: true });
}

/** Writes what the service listens to, and how far the stream was read; then acknowledges. */
async function store(
  { names, stream, log, onArrival }: IntakeOptions,
  client: Turn["client"],
  messages: JsMsg[],
) {
  const wanted: Envelope[] = [];
  for (const message of messages) {
    const envelope = read(message);
    if (!envelope) log.warn({ subject: message.subject, sequence: message.seq }, "not an event, passed over");
    else if (names.has(envelope.name)) wanted.push(envelope);
  }
  const { rows } = await client.query<{ added: number }>(
    `with added as (
       insert into inbox (id, name, aggregate, body)
       select body->>'id', body->>'name', body->>'aggregate', body
       from jsonb_array_elements($1::jsonb) with ordinality as arrived (body, place)
       order by place
       on conflict (id) do nothing
       returning 1
     ), moved as (
       update event_cursor set sequence = greatest(sequence, $2) where role = 'consumer' and stream = $3
     )
     select count(*) as added from added`,
    [JSON.stringify(wanted), messages.at(-1)?.seq ?? 0, stream],
  );
  for (const message of messages) message.ack();
  if (rows[0]?.added) onArrival();
}

function read(message: JsMsg): Envelope | undefined {
  try {
    const { success, data } = Envelope.safeParse(message.json());
    // PostgreSQL has no room for this character, so it cannot come from an outbox.
    return success && !JSON.stringify(data).includes("\\u0000") ? data : undefined;
  } catch {
    return undefined;
  }
}
