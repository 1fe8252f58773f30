import { setTimeout as sleep } from "node:timers/promises";
import type { NatsConnection } from "nats";
import type pg from "pg";
import { type LeaderSession, REPEATABLE, runAsLeader } from "../database/leader.js";
import type { Logger } from "../log.js";
import { type Bus, connectBus, stopBoth } from "./bus.js";
import { atBeginning, isRewound, readCursor, writeCursor } from "./cursor.js";
import { outboxChannel } from "./outbox.js";
import { createPace } from "./pace.js";
import { pruneEvery } from "./prune.js";
import { publishRows, type WaitingRow } from "./publish.js";
import { whileRelayIsHere } from "./relay-here.js";
import type { EventSigner } from "./signature.js";
import { DEFAULT_STREAM, ensureStream, holdsSince, type StreamOptions, type StreamState } from "./stream.js";
import { createWakeSignal } from "./wake-signal.js";

export interface RelayOptions extends StreamOptions {
  service: string;
  databaseUrl: string;
  schema: string;
  natsUrl: string;
  /** Signs what is published; its publisher is the service. */
  signer: EventSigner;
  log: Logger;
  /** How long published events stay, to be published again when NATS or a consumer lost them; 21 days by default. */
  retentionMs?: number;
  /** How long it waits for a signal that there is something to publish; 1 s by default. */
  pollMs?: number;
  /** The pause after a failure, which no signal shortens; 1 s by default. */
  retryMs?: number;
  /** Called before each look at the outbox, so that what comes next gathers. */
  pace?: (signal: AbortSignal) => Promise<void>;
}

const BATCH = 500;
const POLL_MS = 1_000;
const RETRY_MS = 1_000;
/** How often the stream is looked at without a reason: it may be deleted while the connection stays. */
const CHECK_MS = 15_000;
/** Longer than the stream keeps events, so that a consumer that was away for longer can be sent them again. */
const DAY_MS = 86_400_000;
const RETENTION_MS = 21 * DAY_MS;
const PRUNE_MS = 60_000;

/**
 * Publishes the outbox of a service to JetStream, in order per aggregate, at least once. Of several copies one
 * works. With NATS away the outbox waits; when NATS comes back without its data, what is retained is sent again.
 */
export function startRelay(options: RelayOptions): { stop(): Promise<void> } {
  const { service, databaseUrl: url, schema, natsUrl, log } = options;
  const { pollMs = POLL_MS, retryMs = RETRY_MS, pace = createPace() } = options;
  const bell = createWakeSignal();
  const bus = connectBus({ natsUrl, name: `${service} relay`, log, onChange: bell.notify });
  const leader = runAsLeader(
    {
      url,
      schema,
      role: "relay",
      channel: outboxChannel(schema),
      onNotify: bell.notify,
      log,
      settings: REPEATABLE,
    },
    (turn) => whileRelayIsHere(schema, bell.notify, () => publishAll(turn)),
  );

  async function publishAll(turn: LeaderSession) {
    const relay = createTurn(options, bus, turn);
    const rows = await unmark(turn.client, "and not signed");
    if (rows > 0)
      log.info({ rows }, "events that a release published without a signature are published again");
    while (!turn.signal.aborted) {
      await pace(turn.signal);
      const next = await relay.step();
      if (next === "wait") await bell.wait(pollMs, turn.signal);
      // Whatever rings: a stream must not be made again while the server still deletes it.
      if (next === "pause") await sleep(retryMs, undefined, { signal: turn.signal }).catch(() => undefined);
    }
  }

  return {
    stop: () => stopBoth(leader, bus),
  };
}

function createTurn(options: RelayOptions, bus: Bus, { client }: LeaderSession) {
  const { log, signer, retentionMs = RETENTION_MS } = options;
  const where = { ...DEFAULT_STREAM, ...options };
  const { stream, prefix } = where;
  const prune = pruneEvery(PRUNE_MS, () => pruneOutbox(client, retentionMs));
  /** When, and on which connection, the stream was looked at. */
  let checked: { epoch: number; at: number } | undefined;
  let troubled = false;

  /** One batch, and what comes next: another one at once unless it is to wait for work, or to pause. */
  async function step(): Promise<"wait" | "pause" | undefined> {
    await prune();
    const connection = bus.connection();
    if (!connection) return "wait";
    if (checked?.epoch !== bus.epoch() || Date.now() - checked.at > CHECK_MS) {
      const epoch = bus.epoch();
      const found = await look(connection).catch(complain);
      if (!found) return "pause";
      if (found.lacksOwn) await beginAnew(found.state);
      checked = { epoch, at: Date.now() };
    }
    const rows = await waiting(client);
    if (rows.length === 0) return "wait";
    const { published, lastSequence, failure } = await publishRows(connection, { prefix, signer }, rows);
    // The broker may have come back with older data: the cursor must not move on before that was looked at.
    if (bus.epoch() !== checked.epoch) return "pause";
    const known = await mark(client, stream, published, lastSequence);
    // A stream that counts lower than before, or that is not there, is to be looked at again.
    if (failure !== undefined || lastSequence < known) checked = undefined;
    if (failure !== undefined) {
      complain(failure);
      return "pause";
    }
    if (troubled) log.info("events are published again");
    troubled = false;
    return rows.length === BATCH || !checked ? undefined : "wait";
  }

  async function look(connection: NatsConnection) {
    const state = await ensureStream(connection, where);
    return { state, lacksOwn: await lacksOwn(state) };
  }

  /**
   * Whether the stream lacks what was published last, for then it may lack more. Other services may have filled it
   * since it was set back, so the service looks for an event of its own. One that has expired proves nothing.
   */
  async function lacksOwn(state: StreamState): Promise<boolean> {
    const cursor = await readCursor(client, "relay", stream);
    if (!cursor || isRewound(cursor, state)) return true;
    if (cursor.sequence === 0 || cursor.sequence < state.firstSequence) return false;
    const subjects = `${prefix}.${signer.publisher}.>`;
    const consumer = `${signer.publisher}-relay`;
    return !(await holdsSince(state, { stream, subjects, consumer, sequence: cursor.sequence }));
  }

  /** Sends everything retained again; a service that never published has nothing to send. */
  async function beginAnew({ created }: StreamState) {
    const rows = await unmark(client);
    if (rows > 0)
      log.warn({ stream, rows }, "the event stream lost its data, the retained events are published again");
    await writeCursor(client, "relay", stream, atBeginning(created));
  }

  function complain(error: unknown): undefined {
    if (!troubled && bus.connection()) log.warn({ err: error }, "events cannot be published, they wait");
    troubled = true;
  }

  return { step };
}

async function waiting(client: pg.Client): Promise<WaitingRow[]> {
  const { rows } = await client.query<WaitingRow>(
    // A row of an earlier release has no order of its own.
    `select position, id, name, aggregate,
       (jsonb_build_object('order', (extract(epoch from occurred_at) * 1000000)::bigint) || body)::text as body
     from outbox where published_at is null order by position limit $1`,
    [BATCH],
  );
  return rows;
}

/** Marks rows as published and returns the highest sequence of the stream that was known before. */
async function mark(
  client: pg.Client,
  stream: string,
  positions: number[],
  sequence: number,
): Promise<number> {
  const { rows } = await client.query<{ known: number }>(
    `with known as (select sequence from event_cursor where role = 'relay' and stream = $3),
     marked as (update outbox set published_at = now(), signed = true where position = any((select $1::bigint[])::bigint[])),
     moved as (update event_cursor set sequence = greatest(sequence, $2) where role = 'relay' and stream = $3)
     select coalesce(max(sequence), 0) as known from known`,
    [positions, sequence, stream],
  );
  return rows[0]!.known;
}

/** Has published events published again, all or those of a condition; returns how many. */
async function unmark(client: pg.Client, condition = ""): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await client.query(
      `update outbox set published_at = null where position in
       (select position from outbox where published_at is not null ${condition} order by position limit 5000)`,
    );
    if (!rowCount) return total;
    total += rowCount;
  }
}

async function pruneOutbox(client: pg.Client, retentionMs: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `delete from outbox where position in (select position from outbox
     where published_at < now() - $1 * interval '1 millisecond' order by published_at limit 1000)`,
    [retentionMs],
  );
  return rowCount === 1000;
}
