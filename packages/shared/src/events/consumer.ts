import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import type pg from "pg";
import { REPEATABLE, runAsLeader } from "../database/leader.js";
import type { SharedTables } from "../database/shared-tables.js";
import { transact } from "../database/transact.js";
import type { Logger } from "../log.js";
import type { AuthenticEvent } from "./authenticate.js";
import { connectBus, stopBoth } from "./bus.js";
import type { Writer } from "./cursor.js";
import { handleAtOnce } from "./handle-at-once.js";
import { namesAtOnce } from "./handle-together.js";
import { DEFAULT_RETRY, type HandlerBase, type RetryOptions } from "./handling.js";
import { handleInbox } from "./inbox.js";
import type { Subscription } from "./listen.js";
import { eventsMissed, resendMissed } from "./missed.js";
import { emit } from "./outbox.js";
import { inboxChannel } from "./parked.js";
import { passOver } from "./pass-over.js";
import { pruneInbox } from "./prune-inbox.js";
import type { EventVerifier } from "./signature.js";
import { DEFAULT_STREAM, type StreamOptions } from "./stream.js";
import { ingest } from "./stream-consumer.js";
import { subjectsToRead } from "./subject.js";
import { createWakeSignal } from "./wake-signal.js";

export interface ConsumerOptions<Context, Database extends SharedTables> extends StreamOptions {
  service: string;
  db: Kysely<Database>;
  databaseUrl: string;
  schema: string;
  natsUrl: string;
  /** Identifies who signed an event; what no service signed is passed over. */
  verifier: EventVerifier;
  log: Logger;
  subscriptions: Subscription<Context>[];
  /** Builds a handler's context: the service's own identity, and the given transaction as `db`. */
  context: (base: HandlerBase<Database>) => Context;
  /** Aggregates handled side by side; 4 by default. */
  concurrency?: number;
  retry?: Partial<RetryOptions>;
  /** How long handled rows stay; longer than outboxes keep events. 35 days by default. */
  retentionMs?: number;
}

const DAY_MS = 86_400_000;
const RETENTION_MS = 35 * DAY_MS;
const PRUNE_MS = 60_000;

/**
 * Receives the events that a service listens to and handles them, each exactly once and per aggregate in order; those that
 * are repeatable as they come in, at least once.
 * Of several copies of the service one works, another takes over when it ends.
 */
export function startConsumer<Context, Database extends SharedTables>(
  options: ConsumerOptions<Context, Database>,
): { stop(): Promise<void> } {
  const { service, databaseUrl: url, schema, natsUrl, verifier, log, concurrency = 4 } = options;
  const { db, retentionMs = RETENTION_MS } = options;
  const subscriptions = [...options.subscriptions, ...(resendMissed(service) as Subscription<unknown>[])];
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  const names = new Set(subscriptions.map(({ event }) => event.name));
  const { stream, prefix } = { ...DEFAULT_STREAM, ...options };
  const work = createWakeSignal();
  const sources = [...subjectsToRead(prefix, names, service)].map(([publisher, reading]) => ({
    publisher,
    ...reading,
    bell: createWakeSignal(),
  }));
  const onChange = () => {
    for (const { bell } of sources) bell.notify();
  };
  const bus = connectBus({ natsUrl, name: `${service} consumer`, log, onChange });
  const onGap = async () =>
    void (await transact({ db }, (ctx) => emit(ctx, eventsMissed(service), service, {})));
  const inbox = { ...options, subscriptions, concurrency, retry };
  const atOnce = new Set(namesAtOnce(subscriptions));
  const shared = {
    service,
    stream,
    prefix,
    verifier,
    bus,
    log,
    onArrival: work.notify,
    onGap,
    handleAtOnce: async (events: AuthenticEvent[], signal: AbortSignal) =>
      handleAtOnce(inbox, atOnce, await passOver(inbox, events, signal), signal),
  };

  const leader = runAsLeader(
    {
      url,
      schema,
      role: "consumer",
      channel: inboxChannel(schema),
      onNotify: work.notify,
      log,
      settings: REPEATABLE,
    },
    async (turn) => {
      const { signal } = turn;
      const client = oneByOne(turn.client);
      await Promise.all([
        keepPruned({ db, retentionMs, log }, signal),
        handleInbox(inbox, work, signal),
        ...sources.map((source) =>
          ingest({ ...shared, ...source, oldestMs: retentionMs }, { client, signal }),
        ),
      ]);
    },
  );
  return { stop: () => stopBoth(leader, bus) };
}

/** Removes old events of the inbox, all there are and then those of each minute, until the signal aborts. */
async function keepPruned<Database>(
  { db, retentionMs, log }: { db: Kysely<Database>; retentionMs: number; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const hasMore = await pruneInbox(db, retentionMs).catch((err: unknown) => {
      log.warn({ err }, "old events cannot be removed");
      return false;
    });
    if (!hasMore) await sleep(PRUNE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** A connection that several may use: each statement waits for the one before. */
function oneByOne(client: pg.Client): Writer {
  let last: Promise<unknown> = Promise.resolve();
  const query = (...statement: unknown[]) => {
    const result = last.then(() =>
      (client.query as unknown as (...given: unknown[]) => Promise<unknown>)(...statement),
    );
    last = result.catch(() => undefined);
    return result;
  };
  return { query: query as Writer["query"] };
}
