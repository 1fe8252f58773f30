import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { waitFor } from "../testing/schema.js";
import { envelopeOf, publishRaw, testSigner } from "../testing/signing.js";
import { testStream } from "../testing/stream.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const on = createListener<HandlerBase<SharedTables>>();
const GAP = "events may have expired before they were read; they are asked for again";
const LOST = "the event stream lost its data, it is read from its beginning";
const WAIT = "events cannot be read, they wait";

interface Line {
  msg: string;
  publisher?: string;
  from?: number;
  to?: number;
  err?: { message: string };
  first?: { subject: string; sequence: number };
}

let setup: Awaited<ReturnType<typeof testStream>>;
let home: (typeof setup)["home"];
let manager: (typeof setup)["manager"];
let handled: number[];
let logged: Line[];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeEach(async () => {
  setup = await testStream();
  ({ home, manager } = setup);
  handled = [];
  logged = [];
});
afterEach(async () => {
  await setup.end();
});

const listen = on(Counted, async ({ payload }) => void handled.push(payload.n));
const read = () => home.consumer([listen], { log });
const untilHandled = (n: number) => waitFor(() => handled.includes(n));
const loggedWith = (msg: string) => logged.filter((line) => line.msg === msg);
/** Publishes signed events past every relay, one message each. */
const send = (...numbers: number[]) =>
  publishRaw(
    numbers.map((n) => ({
      subject: `${home.prefix}.${Counted.name}`,
      signer: testSigner("content"),
      body: envelopeOf(Counted.name, "a", { n }),
    })),
  );
/** Messages of others, which this service does not read. */
const sendOthers = (times: number) =>
  publishRaw(Array.from({ length: times }, () => ({ subject: `${home.prefix}.sites.a.b`, body: "{}" })));
const cursor = () =>
  home.db.selectFrom("event_cursor").selectAll().where("role", "=", "consumer content").executeTakeFirst();
const expireBefore = (seq: number) => manager.streams.purge(home.stream, { seq });
/** Has the inbox forget everything, so that what is read again is handled again. */
const forget = () => sql`delete from inbox`.execute(home.db);

test("a service that comes back continues where it stopped, and logs nothing", async () => {
  const consumer = read();
  await send(0, 1);
  await untilHandled(1);
  await consumer.stop();
  await forget();
  await send(2);
  read();
  await untilHandled(2);
  await send(3);
  await untilHandled(3);
  // The last message is read once more, for it proves that the stream is the same.
  expect(handled).toEqual([0, 1, 1, 2, 3]);
  expect(logged).toEqual([]);
});

test("what was stored is acknowledged, so that the stream sends it no more", async () => {
  read();
  await send(0, 1, 2);
  await untilHandled(2);
  await waitFor(async () => {
    const [durable] = await manager.consumers.list(home.stream).next();
    return durable?.delivered.consumer_seq === 3 && durable.num_ack_pending === 0;
  });
});

test.each([
  ["where the last one was read", [0, 1]],
  ["where the only one was read", [0]],
])("another message %s means that the stream was set back: all is read again", async (_, numbers) => {
  const consumer = read();
  await send(...numbers);
  await untilHandled(numbers.at(-1)!);
  await consumer.stop();
  await forget();
  await sql`update event_cursor set stamp = '1'`.execute(home.db);
  read();
  await waitFor(() => handled.length === 2 * numbers.length);
  expect(handled).toEqual([...numbers, ...numbers]);
  expect(logged.map(({ msg, err }) => [msg, err?.message])).toEqual([
    [WAIT, "the event stream was set back, it is read from its beginning"],
  ]);
});

test("messages of others alone where the last one was read mean the same", async () => {
  const consumer = read();
  await send(0, 1);
  await untilHandled(1);
  await consumer.stop();
  await forget();
  await sendOthers(3);
  await sql`update event_cursor set sequence = 4, seen = 4`.execute(home.db);
  read();
  await waitFor(() => handled.length === 4);
  expect(handled).toEqual([0, 1, 0, 1]);
  expect(logged.map(({ err }) => err?.message)).toEqual([
    "the event stream was set back, it is read from its beginning",
  ]);
});

test("a stream that was made again is read from its beginning, and a new one without a word", async () => {
  const consumer = read();
  await send(0);
  await untilHandled(0);
  await consumer.stop();
  expect(logged).toEqual([]);
  await manager.streams.delete(home.stream);
  await manager.streams.add({ name: home.stream, subjects: [`${home.prefix}.>`] });
  await send(1, 2);
  read();
  await untilHandled(2);
  expect(handled).toEqual([0, 1, 2]);
  // Each publisher is read by itself.
  expect(logged.map(({ msg, publisher }) => [publisher, msg]).sort()).toEqual(
    ["content", "integrations", "orgs", "sites"].map((publisher) => [publisher, LOST]),
  );
});

test("events that expired before they were read are logged with their positions, and requested again", async () => {
  const consumer = read();
  await send(0);
  await untilHandled(0);
  await consumer.stop();
  await send(1, 2);
  await expireBefore(3);
  const again = read();
  await untilHandled(2);
  expect(handled).toEqual([0, 2]);
  expect(logged).toMatchObject([{ msg: GAP, publisher: "content", from: 2, to: 2 }]);
  expect(await home.db.selectFrom("outbox").select(["name", "aggregate"]).execute()).toEqual([
    { name: "content.events.missed", aggregate: "content" },
  ]);
  // It is stored, and not logged again.
  await again.stop();
  await send(3);
  const third = read();
  await untilHandled(3);
  expect(logged.length).toBe(1);
  // All that is left is gone, and nothing has come since.
  await third.stop();
  await send(4);
  await expireBefore(6);
  read();
  // Each publisher is read by itself.
  const ofContent = () => loggedWith(GAP).filter(({ publisher }) => publisher === "content");
  await waitFor(() => ofContent().length === 2);
  expect(ofContent()[1]).toMatchObject({ from: 5, to: 5 });
  await waitFor(async () => (await cursor())?.seen === 5);
});

test("what expired after it was read, or before anything was read, is no gap", async () => {
  const consumer = read();
  await waitFor(cursor);
  await consumer.stop();
  await sendOthers(2);
  await expireBefore(3);
  const second = read();
  await send(0, 1);
  await untilHandled(1);
  await second.stop();
  await send(2);
  await expireBefore(5);
  read();
  await untilHandled(2);
  expect(handled).toEqual([0, 1, 2]);
  expect(logged.filter(({ publisher }) => publisher === "content")).toEqual([]);
});

test("each event is handled before the next one is sent, though it comes alone", async () => {
  read();
  for (let n = 0; n < 20; n += 1) {
    await send(n);
    await untilHandled(n);
  }
  expect(logged).toEqual([]);
});

test("events that cannot be read are logged once, and again when they could be in between", async () => {
  read();
  await send(0);
  await untilHandled(0);
  const durable = await manager.consumers.info(home.stream, "content-content");
  const breakDown = async () => {
    await sql`alter table event_cursor rename to hidden`.execute(home.db);
    await manager.consumers.delete(home.stream, durable.name);
  };
  const mend = () => sql`alter table hidden rename to event_cursor`.execute(home.db);
  await breakDown();
  await waitFor(() => loggedWith(WAIT).length > 0);
  // It tries again each second.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(loggedWith(WAIT).length).toBe(1);
  await mend();
  await send(1);
  await untilHandled(1);
  await breakDown();
  await waitFor(() => loggedWith(WAIT).length > 1);
  await mend();
  await send(2);
  await untilHandled(2);
  expect(handled).toEqual([0, 1, 2]);
  expect(logged).toMatchObject([WAIT, WAIT].map((msg) => ({ msg, publisher: "content" })));
});

test("a message that no service signed is logged with its subject and its sequence", async () => {
  await publishRaw([
    { subject: `${home.prefix}.${Counted.name}`, body: envelopeOf(Counted.name, "a", { n: 7 }) },
  ]);
  await send(0);
  read();
  await untilHandled(0);
  expect(handled).toEqual([0]);
  expect(logged).toMatchObject([
    {
      msg: "messages that no service signed are passed over",
      first: { subject: `${home.prefix}.${Counted.name}`, sequence: 1 },
      err: { message: "the message is not signed" },
    },
  ]);
});
