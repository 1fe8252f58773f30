import { type Kysely, sql } from "kysely";
import { whileLeader } from "../database/leader.js";
import type { SharedTables } from "../database/shared-tables.js";
import type { Logger } from "../log.js";
import { createBell } from "./bell.js";
import { connectBus, stopBoth } from "./bus.js";
import { DEFAULT_RETRY, type HandlerBase, handleInbox, type RetryOptions } from "./inbox.js";
import { takeIn } from "./intake.js";
import type { Subscription } from "./listen.js";
import { inboxChannel } from "./parked.js";
import { pruneEvery } from "./prune.js";
import { DEFAULT_STREAM, type StreamOptions } from "./stream.js";

export interface ConsumerOptions<Context, Database extends SharedTables> extends StreamOptions {
  service: string;
  db: Kysely<Database>;
  databaseUrl: string;
  schema: string;
  natsUrl: string;
  log: Logger;
  subscriptions: Subscription<Context>[];
  /** Builds a handler's context: the service's own identity, and the given transaction as `db`. */
  context: (base: HandlerBase<Database>) => Context;
  /** Aggregates handled side by side; 4 unless told. */
  concurrency?: number;
  retry?: Partial<RetryOptions>;
  /** How long handled rows stay; longer than the stream keeps events. 21 days unless told. */
  retentionMs?: number;
}

const RETENTION_MS = 21 * 86_400_000;

/**
 * Receives the events that a service listens to and handles them, each exactly once and per aggregate in order.
 * Of several copies of the service one works, another takes over when it ends.
 */
export function startConsumer<Context, Database extends SharedTables>(
  options: ConsumerOptions<Context, Database>,
): { stop(): Promise<void> } {
  const { service, databaseUrl: url, schema, natsUrl, log, concurrency = 4 } = options;
  const { db, subscriptions, retentionMs = RETENTION_MS } = options;
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  const names = new Set(subscriptions.map(({ event }) => event.name));
  const { stream, prefix } = { ...DEFAULT_STREAM, ...options };
  const work = createBell();
  const bell = createBell();
  const bus = connectBus({ natsUrl, name: `${service} consumer`, log, onChange: bell.ring });
  const intake = { service, names, stream, prefix, bus, bell, log, onArrival: work.ring };

  const leader = whileLeader(
    { url, schema, role: "consumer", channel: inboxChannel(schema), onNotify: work.ring, log },
    async (turn) => {
      const over = new AbortController();
      const signal = AbortSignal.any([turn.signal, over.signal]);
      const prune = pruneEvery(60_000, () => pruneInbox(db, retentionMs));
      const pruning = setInterval(() => prune().catch(() => undefined), 60_000);
      const handling = handleInbox({ ...options, concurrency, retry }, work, signal);
      try {
        await takeIn(intake, { ...turn, signal });
      } finally {
        over.abort();
        clearInterval(pruning);
        await handling;
      }
    },
  );
  return { stop: () => stopBoth(leader, bus) };
}

async function pruneInbox<Database extends SharedTables>(db: Kysely<Database>, retentionMs: number) {
  const { numAffectedRows = 0n } = await sql`
    delete from inbox where id in (select id from inbox
    where handled_at < now() - ${retentionMs} * interval '1 millisecond' order by handled_at limit 1000)`.execute(
    db,
  );
  return numAffectedRows === 1000n;
}
