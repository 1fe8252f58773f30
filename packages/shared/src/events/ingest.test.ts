import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import { clientSettings } from "../database/connect.js";
import { waitFor } from "../testing/schema.js";
import { envelopeOf, publishRaw, testSigner, testVerifier } from "../testing/signing.js";
import { testStream } from "../testing/stream.js";
import { connectBus } from "./bus.js";
import { type IngestOptions, ingest } from "./stream-consumer.js";
import { createWakeSignal } from "./wake-signal.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const Unheard = defineEvent("content.thing.unheard", z.object({}));
const HOUR_MS = 3_600_000;
/** Long enough for a loop without a pause to turn many times. */
const MOMENT_MS = 200;

let setup: Awaited<ReturnType<typeof testStream>>;
let home: (typeof setup)["home"];
let connection: (typeof setup)["connection"];
let manager: (typeof setup)["manager"];
let logged: { msg: string; err?: { message: string } }[];
let stops: (() => Promise<unknown>)[];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeEach(async () => {
  setup = await testStream();
  ({ home, connection, manager } = setup);
  logged = [];
  stops = [];
});
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  await setup.end();
});

interface Given extends Partial<IngestOptions> {
  natsUrl?: string;
}

/** Reads the events of content. By default it neither tries again nor requests anything as time passes. */
async function read({ natsUrl = process.env.NATS_URL ?? "", ...options }: Given = {}) {
  const ring = createWakeSignal();
  const counts = { arrivals: 0, batches: 0, waits: 0 };
  const bell = {
    notify: ring.notify,
    wait: (_: number, signal: AbortSignal) => {
      counts.waits += 1;
      return ring.wait(HOUR_MS, signal);
    },
  };
  const bus = connectBus({ natsUrl, name: "test", log: { info: () => {}, warn: () => {} } });
  stops.push(() => bus.close());
  const settings = clientSettings({ url: home.url, schema: home.schema, applicationName: "test" });
  const client = new pg.Client(settings);
  await client.connect();
  stops.push(() => client.end());
  const { stream, prefix } = home;
  const stopping = new AbortController();
  const pace = async () => {
    counts.batches += 1;
  };
  const reading = {
    service: "content",
    publisher: "content",
    filter: `${prefix}.content.>`,
    subjects: new Set([`${prefix}.${Counted.name}`]),
    stream,
    prefix,
    bus,
    bell,
    log,
    verifier: testVerifier,
    oldestMs: HOUR_MS,
    pace,
    retryMs: HOUR_MS,
    quietMs: HOUR_MS,
    onGap: async () => {},
    onArrival: () => {
      counts.arrivals += 1;
    },
  };
  const start = () => ingest({ ...reading, ...options }, { client, signal: stopping.signal });
  if (natsUrl === process.env.NATS_URL) await waitFor(() => bus.connection());
  const running = start();
  const stop = async () => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return { counts, ring: ring.notify, stop, bus };
}

const signed = (name: string, payload: object) => ({
  subject: `${home.prefix}.${name}`,
  signer: testSigner("content"),
  body: envelopeOf(name, "a", payload),
});
const send = (n: number) => publishRaw([signed(Counted.name, { n })]);
const sendOthers = (times: number) =>
  publishRaw(Array.from({ length: times }, () => ({ subject: `${home.prefix}.sites.a.b`, body: "{}" })));
const cursor = () => home.db.selectFrom("event_cursor").selectAll().executeTakeFirst();
const readUpTo = (sequence: number) => waitFor(async () => (await cursor())?.sequence === sequence);
const durable = () => manager.consumers.info(home.stream, "content-content");
async function countRequests(subject: string) {
  const requests = { count: 0 };
  connection.subscribe(`$JS.API.${subject}`, {
    callback: () => {
      requests.count += 1;
    },
  });
  await connection.flush();
  return requests;
}

test("messages are read without requests for the state of the stream, and each batch lets the next one gather", async () => {
  const looks = await countRequests(`CONSUMER.INFO.${home.stream}.content-content`);
  const { counts, stop } = await read();
  // The library requests it once, where it opens the durable.
  await readUpTo(0);
  await waitFor(() => looks.count === 1);
  for (const n of [1, 2, 3]) {
    await send(n);
    await readUpTo(n);
  }
  await stop();
  await connection.flush();
  expect([looks.count, counts.batches, counts.arrivals]).toEqual([1, 3, 3]);
  expect(logged).toEqual([]);
});

test("a batch is acknowledged by its last message, and what nobody listens to is not verified", async () => {
  const acknowledged = { count: 0 };
  connection.subscribe(`$JS.ACK.${home.stream}.>`, {
    callback: () => {
      acknowledged.count += 1;
    },
  });
  const unsigned = { subject: `${home.prefix}.${Unheard.name}`, body: "{}" };
  await publishRaw([...[1, 2, 3, 4, 5].map((n) => signed(Counted.name, { n })), unsigned]);
  const { counts } = await read();
  await readUpTo(6);
  await waitFor(async () => (await durable()).num_ack_pending === 0);
  expect(acknowledged.count).toBe(counts.batches);
  expect(acknowledged.count).toBeLessThan(6);
  expect(logged).toEqual([]);
});

test("events that are stored already, or have no handler, are read and are no arrivals", async () => {
  const { counts } = await read();
  const event = signed(Counted.name, { n: 1 });
  await publishRaw([event]);
  await readUpTo(1);
  await publishRaw([event, signed(Unheard.name, {})]);
  await readUpTo(3);
  expect(counts.arrivals).toBe(1);
  expect(await home.db.selectFrom("inbox").select("id").execute()).toEqual([{ id: event.body.id }]);
});

test("a durable consumer that is removed is made anew at once, before any silence", async () => {
  await read({ retryMs: 10 });
  await send(1);
  await readUpTo(1);
  await waitFor(() =>
    manager.consumers
      .delete(home.stream, "content-content")
      .catch((error: Error) => /not found/.test(error.message)),
  );
  await send(2);
  await readUpTo(2);
  expect(logged.map(({ msg }) => msg)).toEqual(["events cannot be read, they wait"]);
});

test("after a failure nothing is tried before its pause is over, whatever rings, and a stop ends the pause", async () => {
  const tries = await countRequests(`STREAM.INFO.${home.stream}`);
  await sql`alter table event_cursor rename to hidden`.execute(home.db);
  const { ring, stop } = await read();
  await waitFor(() => logged.length === 1);
  ring();
  await sleep(MOMENT_MS);
  await stop();
  await connection.flush();
  expect([tries.count, logged.length]).toEqual([1, 1]);
  await sql`alter table hidden rename to event_cursor`.execute(home.db);
});

test("without a connection it waits for one, and looks for it when it is rung", async () => {
  const { counts, ring } = await read({ natsUrl: "nats://127.0.0.1:1" });
  await waitFor(() => counts.waits === 1);
  ring();
  await waitFor(() => counts.waits === 2);
  await sleep(MOMENT_MS);
  expect(counts.waits).toBe(2);
  expect(logged).toEqual([]);
});

test("after a stop the durable consumer delivers nothing more", async () => {
  const { stop, bus } = await read();
  await send(1);
  await readUpTo(1);
  await stop();
  await bus.connection()!.flush();
  await send(2);
  expect((await durable()).delivered.consumer_seq).toBe(1);
});

test("where others fill the stream it is noted at each hundred and first message that nothing is left to be read", async () => {
  const looks = await countRequests(`CONSUMER.INFO.${home.stream}.content-content`);
  const lookedAgain = async () => {
    const { count } = looks;
    await waitFor(() => looks.count > count + 1);
  };
  await send(0);
  await read({ quietMs: 20 });
  await readUpTo(1);
  await sendOthers(100);
  await lookedAgain();
  expect(await cursor()).toMatchObject({ sequence: 1, seen: 1 });
  await sendOthers(1);
  await waitFor(async () => (await cursor())?.seen !== 1);
  expect(await cursor()).toMatchObject({ sequence: 1, seen: 102 });
  await send(1);
  await readUpTo(103);
  expect(logged).toEqual([]);
});
