import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Turn, whileLeader } from "../database/leader.js";
import type { Logger } from "../log.js";
import { createBell } from "./bell.js";
import { type Bus, connectBus, stopBoth } from "./bus.js";
import { isRewound, readCursor, writeCursor } from "./cursor.js";
import { outboxChannel } from "./outbox.js";
import { pruneEvery } from "./prune.js";
import { publishRows, type WaitingRow } from "./publish.js";
import { DEFAULT_STREAM, ensureStream, type StreamOptions } from "./stream.js";

export interface RelayOptions extends StreamOptions {
  service: string;
  databaseUrl: string;
  schema: string;
  natsUrl: string;
  log: Logger;
  /** How long published events stay, to be published again when NATS loses its data; 7 days unless told. */
  retentionMs?: number;
}

const BATCH = 500;
const POLL_MS = 1_000;
/** How often the stream is looked at without a reason: it may be deleted while the connection stays. */
const CHECK_MS = 15_000;
const RETENTION_MS = 7 * 86_400_000;

/**
 * Publishes the outbox of a service to JetStream, in order per aggregate, at least once. Of several copies one
 * works. With NATS away the outbox waits; when NATS comes back without its data, what is retained is sent again.
 */
export function startRelay(options: RelayOptions): { stop(): Promise<void> } {
  const { service, databaseUrl: url, schema, natsUrl, log } = options;
  const bell = createBell();
  const bus = connectBus({ natsUrl, name: `${service} relay`, log, onChange: bell.ring });
  const leader = whileLeader(
    { url, schema, role: "relay", channel: outboxChannel(schema), onNotify: bell.ring, log },
    async (turn) => {
      const relay = createTurn(options, bus, turn);
      while (!turn.signal.aborted) {
        const next = await relay.step();
        if (next === "wait") await bell.wait(POLL_MS, turn.signal);
        // Whatever rings: a stream must not be made again while the server still deletes it.
        if (next === "failed")
          await sleep(POLL_MS, undefined, { signal: turn.signal }).catch(() => undefined);
      }
    },
  );
  return {
    stop: () => stopBoth(leader, bus),
  };
}

function createTurn(options: RelayOptions, bus: Bus, { client }: Turn) {
  const { log, retentionMs = RETENTION_MS } = options;
  const where = { ...DEFAULT_STREAM, ...options };
  const { stream, prefix } = where;
  const prune = pruneEvery(60_000, () => pruneOutbox(client, retentionMs));
  let checked = -1;
  let checkedAt = 0;
  let troubled = false;

  /** One batch, and what comes next: another one at once, waiting for work, or a pause. */
  async function step(): Promise<"more" | "wait" | "failed"> {
    await prune();
    const connection = bus.connection();
    if (!connection) return "wait";
    if (checked !== bus.epoch() || Date.now() - checkedAt > CHECK_MS) {
      const epoch = bus.epoch();
      const state = await ensureStream(connection, where).catch(complain);
      if (!state) return "failed";
      await meetStream(client, stream, state, log);
      checked = epoch;
      checkedAt = Date.now();
    }
    const rows = await waiting(client);
    if (rows.length === 0) return "wait";
    const { published, lastSequence, failure } = await publishRows(connection, prefix, rows);
    const known = await mark(client, stream, published, lastSequence);
    // A stream that counts lower than before, or that is not there, is to be looked at again.
    if (failure !== undefined || lastSequence < known) checked = -1;
    if (failure !== undefined) {
      complain(failure);
      return "failed";
    }
    if (troubled) log.info("events are published again");
    troubled = false;
    return rows.length === BATCH || checked === -1 ? "more" : "wait";
  }

  function complain(error: unknown): undefined {
    if (!troubled && bus.connection()) log.warn({ err: error }, "events cannot be published, they wait");
    troubled = true;
  }

  return { step };
}

/** Remembers the stream; sends everything retained again when it is not the stream of last time. */
async function meetStream(
  client: pg.Client,
  stream: string,
  state: { created: string; lastSequence: number },
  log: Logger,
) {
  const cursor = await readCursor(client, "relay", stream);
  if (cursor && !isRewound(cursor, state)) return;
  if (cursor) {
    const rows = await unmark(client);
    log.warn({ stream, rows }, "the event stream lost its data, the retained events are published again");
  }
  await writeCursor(client, "relay", stream, { created: state.created, sequence: 0 });
}

async function waiting(client: pg.Client): Promise<WaitingRow[]> {
  const { rows } = await client.query<WaitingRow>(
    `select position, id, name, aggregate, body::text as body from outbox
     where published_at is null order by position limit ${BATCH}`,
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
  if (positions.length === 0) return 0;
  const { rows } = await client.query<{ known: number }>(
    `with known as (select sequence from event_cursor where role = 'relay' and stream = $3),
     marked as (update outbox set published_at = now() where position = any($1::bigint[])),
     moved as (update event_cursor set sequence = greatest(sequence, $2) where role = 'relay' and stream = $3)
     select sequence as known from known`,
    [positions, sequence, stream],
  );
  return rows[0]?.known ?? 0;
}

async function unmark(client: pg.Client): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await client.query(
      `update outbox set published_at = null where position in
       (select position from outbox where published_at is not null order by position limit 5000)`,
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
