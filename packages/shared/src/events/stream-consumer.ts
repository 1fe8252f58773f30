import { setTimeout as sleep } from "node:timers/promises";
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  type NatsConnection,
  nanos,
  ReplayPolicy,
} from "nats";
import type { Logger } from "../log.js";
import { type AuthenticEvent, authenticate } from "./authenticate.js";
import type { Bus } from "./bus.js";
import { atBeginning, type Cursor, isRewound, readCursor, type Writer, writeCursor } from "./cursor.js";
import { createPace } from "./pace.js";
import type { EventVerifier } from "./signature.js";
import { ensureStream, removeConsumer, type StreamOptions, type StreamState } from "./stream.js";
import { createWakeSignal, type WakeSignal } from "./wake-signal.js";

export interface IngestOptions extends Required<StreamOptions> {
  /** The service that reads. */
  service: string;
  /** The service whose events are read. */
  publisher: string;
  /** The pattern of the subjects that are read. */
  filter: string;
  /** The subjects that this service listens to; what comes on others is passed over. */
  subjects: ReadonlySet<string>;
  verifier: EventVerifier;
  /** Events that were signed longer ago are refused. */
  oldestMs: number;
  bus: Bus;
  log: Pick<Logger, "warn" | "error">;
  /** Rung when the connection to NATS changes; wakes the consumer. */
  bell: WakeSignal;
  /** Handles or passes over what needs no inbox, of the events that came in; returns the others, which go there. */
  handleAtOnce?: (events: AuthenticEvent[], signal: AbortSignal) => Promise<AuthenticEvent[]>;
  /** Called when rows were added to the inbox. */
  onArrival: () => void;
  /** Called when events expired before they were read; asks the publishers to send them again. */
  onGap: () => Promise<void>;
  /** The pause after a failure, which no signal shortens, and between looks for a connection; 1 s by default. */
  retryMs?: number;
  /** After so much silence the stream is asked whether there is nothing to read; 3 s by default. */
  quietMs?: number;
  /** Called after each batch, so that the next one gathers. */
  pace?: (signal: AbortSignal) => Promise<void>;
}

/** The leader's connection, and when its turn ends. */
interface LeaderTurn {
  client: Writer;
  signal: AbortSignal;
}

const BATCH = 500;
const RETRY_MS = 1_000;
/** It is noted that there is nothing to be read when the stream has grown by so many messages of others. */
const SEEN_STEP = 100;
const QUIET_MS = 3_000;
/** What is not acknowledged by then is sent again. */
const ACK_WAIT_MS = 60_000;
const TIMEOUT_MS = 5_000;

/**
 * Moves the events of one publisher from JetStream into the inbox, in the order of the stream, until the turn ends. How
 * far it got is written with the rows, in one statement; after any doubt (a gap, a reconnection, a deleted consumer)
 * the durable is made anew from there. So nothing is lost, and nothing is seen out of order.
 */
export async function ingest(options: IngestOptions, { client, signal }: LeaderTurn): Promise<void> {
  const { bus, bell, log, publisher, retryMs = RETRY_MS } = options;
  let troubled = false;
  while (!signal.aborted) {
    const connection = bus.connection();
    if (!connection) {
      await bell.wait(retryMs, signal);
      continue;
    }
    try {
      await drain(options, connection, { client, signal }, () => {
        troubled = false;
      });
    } catch (error) {
      if (!troubled && bus.connection()) {
        log.warn({ err: error, publisher }, "events cannot be read, they wait");
        troubled = true;
      }
      // Whatever rings: a stream that is made again while the server still deletes it would lose what it gets.
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Reads one durable until something about it is in doubt. */
async function drain(
  options: IngestOptions,
  connection: NatsConnection,
  { client, signal }: LeaderTurn,
  onOpen: () => void,
) {
  const { bus, quietMs = QUIET_MS, pace = createPace() } = options;
  const epoch = bus.epoch();
  const bell = createWakeSignal();
  const arrived: JsMsg[] = [];
  let doubt: Error | undefined;
  let delivered = 0;

  const { messages, ...opened } = await open(options, connection, client, (message) => {
    delivered += 1;
    if (message.info.deliverySequence !== delivered) doubt ??= new Error("a delivery is missing");
    arrived.push(message);
    bell.notify();
  });
  messages.closed().then((error) => {
    doubt ??= error ?? new Error("the durable consumer is gone");
    bell.notify();
  });
  onOpen();

  let { cursor, unproved } = opened;
  try {
    while (!signal.aborted && !doubt && bus.epoch() === epoch) {
      if (arrived.length > 0) {
        const batch = arrived.splice(0, BATCH);
        if (unproved && !isAt(cursor, batch[0]!)) await startOver(options, client, cursor);
        unproved = false;
        cursor = await store(options, { client, signal }, cursor, batch);
        await pace(signal);
        continue;
      }
      // It may ring for what is stored by now.
      if ((await bell.wait(quietMs, signal)) || signal.aborted || doubt) continue;
      const before = delivered;
      const { suspicion, seen } = await examine(options, connection, delivered);
      // What arrived in the meantime was on its way when the stream was asked.
      if (delivered !== before) continue;
      doubt ??= suspicion;
      if (!doubt && seen > cursor.seen + SEEN_STEP) {
        cursor = await move(options, client, { ...cursor, seen });
      }
    }
    if (doubt) throw doubt;
  } finally {
    messages.stop();
  }
}

/** Looks whether silence is right, for a server may forget a durable's requests, or the durable itself; and if so, up to where all is read. */
async function examine(options: IngestOptions, connection: NatsConnection, sent: number) {
  const { stream, prefix } = options;
  const { manager, lastSequence } = await ensureStream(connection, { stream, prefix });
  const { num_pending, delivered } = await manager.consumers.info(stream, durableOf(options));
  const isHeldBack = num_pending > 0 || delivered.consumer_seq > sent;
  return { suspicion: isHeldBack ? new Error("events are held back") : undefined, seen: lastSequence };
}

const durableOf = ({ service, publisher }: IngestOptions) => `${service}-${publisher}`;
const roleOf = ({ publisher }: IngestOptions) => `consumer ${publisher}`;

/** Makes the durable anew. It begins with the message that was read last, which shows whether the stream is the same. */
async function open(
  options: IngestOptions,
  connection: NatsConnection,
  client: Writer,
  callback: (message: JsMsg) => void,
) {
  const { filter, stream, prefix } = options;
  const state = await ensureStream(connection, { stream, prefix });
  const cursor = await beginning(options, client, state);
  const durable = durableOf(options);
  await removeConsumer(state.manager, stream, durable);
  const { num_pending } = await state.manager.consumers.add(stream, {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: 2 * BATCH,
    replay_policy: ReplayPolicy.Instant,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(cursor.sequence, 1),
  });
  const unproved = cursor.stamp !== null && cursor.sequence >= state.firstSequence;
  if (unproved && num_pending === 0) await startOver(options, client, cursor);
  const consumer = await connection.jetstream({ timeout: TIMEOUT_MS }).consumers.get(stream, durable);
  const messages: ConsumerMessages = await consumer.consume({
    callback,
    max_messages: BATCH,
    abort_on_missing_resource: true,
  });
  return { messages, cursor, unproved };
}

/** Where to begin: at the cursor, or at the beginning of a stream that is new here. */
async function beginning(options: IngestOptions, client: Writer, state: StreamState): Promise<Cursor> {
  const { stream, publisher, log, onGap } = options;
  const cursor = await readCursor(client, roleOf(options), stream);
  if (!cursor || isRewound(cursor, state)) {
    if (cursor)
      log.warn({ stream, publisher }, "the event stream lost its data, it is read from its beginning");
    return move(options, client, atBeginning(state.created));
  }
  if (cursor.seen + 1 >= state.firstSequence) return cursor;
  if (cursor.seen > 0) {
    const from = cursor.seen + 1;
    const gap = { stream, publisher, from, to: state.firstSequence - 1 };
    log.error(gap, "events may have expired before they were read; they are asked for again");
    await onGap();
  }
  return move(options, client, { ...cursor, seen: state.firstSequence - 1 });
}

/** Whether a message is the one that the cursor points to. */
const isAt = ({ sequence, stamp }: Cursor, message: JsMsg) =>
  message.seq === sequence && stampOf(message) === stamp;

/** Ends this reading, and has the next one begin with the first message: another one stands where the cursor points. */
async function startOver(options: IngestOptions, client: Writer, { created }: Cursor): Promise<never> {
  await move(options, client, atBeginning(created));
  throw new Error("the event stream was set back, it is read from its beginning");
}

async function move(options: IngestOptions, client: Writer, cursor: Cursor): Promise<Cursor> {
  await writeCursor(client, roleOf(options), options.stream, cursor);
  return cursor;
}

const stampOf = ({ info }: JsMsg) => String(info.timestampNanos);

/** Handles or writes what the service listens to, and notes how far the stream was read; then acknowledges. */
async function store(
  options: IngestOptions,
  { client, signal }: LeaderTurn,
  { created }: Cursor,
  messages: JsMsg[],
) {
  const { subjects, stream, onArrival, handleAtOnce } = options;
  // An event belongs to the subject of its name: what is not listened to need not be read to be known.
  const wanted = await authentic(
    options,
    messages.filter(({ subject }) => subjects.has(subject)),
  );
  const kept = handleAtOnce ? await handleAtOnce(wanted, signal) : wanted;
  const last = messages.at(-1)!;
  const cursor: Cursor = { created, sequence: last.seq, stamp: stampOf(last), seen: last.seq };
  if (kept.length === 0) {
    await move(options, client, cursor);
    last.ack();
    return cursor;
  }
  const { rows } = await client.query<{ added: number }>(
    `with added as (
       insert into inbox (id, name, aggregate, body)
       select body->>'id', body->>'name', body->>'aggregate', body
       from (select distinct on (body->>'id') body, place
             from jsonb_array_elements($1::jsonb) with ordinality as arrived (body, place)
             order by body->>'id', place) as one
       order by place
       on conflict (id) do update set received_at = now()
       returning xmax = 0 as is_new
     ), moved as (
       update event_cursor set sequence = $2, seen = $2, stamp = $5 where role = $4 and stream = $3
     )
     select count(*) filter (where is_new) as added from added`,
    [JSON.stringify(kept), cursor.sequence, stream, roleOf(options), cursor.stamp],
  );
  // For all of them, as they are stored in the order of the stream.
  last.ack();
  if (rows[0]?.added) onArrival();
  return cursor;
}

/** The events among messages whose publisher is proved; the others are passed over, and logged in one line. */
async function authentic(options: IngestOptions, messages: JsMsg[]): Promise<AuthenticEvent[]> {
  const read = await Promise.allSettled(messages.map((message) => authenticate(options, message)));
  const refused = read.flatMap((outcome, at) =>
    outcome.status === "rejected" ? [{ err: outcome.reason as unknown, message: messages[at]! }] : [],
  );
  if (refused.length > 0) {
    const { err, message } = refused[0]!;
    const first = { subject: message.subject, sequence: message.seq };
    options.log.warn(
      { err, refused: refused.length, first },
      "messages that no service signed are passed over",
    );
  }
  return read.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}
