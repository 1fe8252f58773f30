import { connect } from "nats";
import { pino } from "pino";
import type { z } from "zod";
import type { Envelope, EventType } from "../contracts/events/define.js";
import {
  inboxTables,
  outboxTables,
  type SharedTables,
  signedEventTables,
} from "../database/shared-tables.js";
import { transact } from "../database/transact.js";
import { type ConsumerOptions, startConsumer } from "../events/consumer.js";
import type { HandlerBase } from "../events/handling.js";
import { emit } from "../events/outbox.js";
import { type RelayOptions, startRelay } from "../events/relay.js";
import { newId } from "../ids.js";
import { testSchema } from "./schema.js";
import { testSigner, testVerifier } from "./signing.js";

const migrations = {
  "0001-events": {
    up: async (db: Parameters<typeof outboxTables>[0]) => {
      await outboxTables(db);
      await inboxTables(db);
      await signedEventTables(db);
    },
  },
};

interface TestEventsOptions {
  natsUrl?: string;
  /** The service it is; content by default. */
  service?: string;
  /** Another service, whose stream this one shares. */
  beside?: { stream: string; prefix: string };
}

/** A service with a schema and a stream of its own, whose relay and consumer a test starts as it likes. */
export async function testEvents(options: TestEventsOptions = {}) {
  const { natsUrl = process.env.NATS_URL ?? "", service = "content", beside } = options;
  const home = await testSchema<SharedTables>({ service: "events", migrations });
  const id = newId().slice(-10);
  const where = {
    stream: beside?.stream ?? `TEST_${id}`,
    prefix: beside?.prefix ?? `test.${id}`,
  };
  const log = pino({ level: process.env.TEST_LOG ?? "silent" });
  const { url: databaseUrl, schema } = home;
  const base = {
    service,
    databaseUrl,
    schema,
    natsUrl,
    log,
    verifier: testVerifier,
    signer: testSigner(service),
    ...where,
  };
  const running: { stop(): Promise<void> }[] = [];
  const run = <T extends { stop(): Promise<void> }>(part: T): T => {
    running.push(part);
    return part;
  };

  return {
    ...home,
    ...where,
    log,
    verifier: testVerifier,
    relay: (options: Partial<RelayOptions> = {}) => run(startRelay({ ...base, ...options })),
    consumer: (
      subscriptions: ConsumerOptions<HandlerBase<SharedTables>, SharedTables>["subscriptions"],
      options: Partial<ConsumerOptions<HandlerBase<SharedTables>, SharedTables>> = {},
    ) => run(startConsumer({ ...base, db: home.db, context: (given) => given, subscriptions, ...options })),
    emit: <P extends z.ZodType>(event: EventType<P>, aggregate: string, payload: z.input<P>) =>
      transact({ db: home.db }, (ctx) => emit(ctx, event, aggregate, payload)),
    /** Everything in the stream, in its order. */
    published: () => readStream(natsUrl, where.stream),
    deleteStream: () => deleteStream(natsUrl, where.stream),
    end: async () => {
      await Promise.all(running.map((part) => part.stop()));
      await home.drop();
      await deleteStream(natsUrl, where.stream).catch(() => undefined);
    },
  };
}

async function readStream(servers: string, stream: string): Promise<Envelope[]> {
  const connection = await connect({ servers, reconnect: false });
  try {
    const { state } = await (await connection.jetstreamManager()).streams.info(stream);
    if (state.messages === 0) return [];
    const events: Envelope[] = [];
    const consumer = await connection.jetstream().consumers.get(stream);
    for await (const message of await consumer.consume()) {
      events.push(message.json<Envelope>());
      if (message.info.pending === 0) break;
    }
    return events;
  } finally {
    await connection.close();
  }
}

async function deleteStream(servers: string, stream: string) {
  const connection = await connect({ servers, reconnect: false });
  await (await connection.jetstreamManager()).streams.delete(stream);
  await connection.close();
}
