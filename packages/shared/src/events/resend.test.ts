import { sql } from "kysely";
import { connect, type JetStreamManager, type NatsConnection } from "nats";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";
import { backlog } from "./parked.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const on = createListener<HandlerBase<SharedTables>>();

let home: Awaited<ReturnType<typeof testEvents>>;
let connection: NatsConnection;
let manager: JetStreamManager;
let logged: { level: number; msg: string; rows?: number }[];
const log = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeEach(async () => {
  home = await testEvents();
  connection = await connect({ servers: process.env.NATS_URL });
  manager = await connection.jetstreamManager();
  logged = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await connection.close();
  await home.end();
});

const count = (n: number) => home.emit(Counted, "a", { n });
const drained = () => waitFor(async () => (await backlog(home)).unpublished === 0);
const published = async () =>
  (await home.published())
    .filter(({ name }) => name === Counted.name)
    .map(({ payload }) => (payload as { n: number }).n);
const messages = () => logged.map(({ msg }) => msg);
async function countMessages(subject: string) {
  const messages = { count: 0 };
  connection.subscribe(subject, {
    callback: () => {
      messages.count += 1;
    },
  });
  await connection.flush();
  return messages;
}
/** Another service that comes upon the stream gone makes it again. */
async function replaceStream() {
  const { config } = await manager.streams.info(home.stream);
  await manager.streams.delete(home.stream);
  await manager.streams.add(config);
}

test("what the release before published without a signature is sent again signed, at once and only once", async () => {
  const first = home.relay();
  await count(0);
  await drained();
  await first.stop();
  // As the release before left it a moment ago, under the id of the event.
  const id = await count(1);
  const { rows } = await sql<{
    body: string;
  }>`select body::text as body from outbox where id = ${id}`.execute(home.db);
  await connection.jetstream().publish(`${home.prefix}.${Counted.name}`, rows[0]!.body, { msgID: id });
  await sql`update outbox set published_at = now() where id = ${id}`.execute(home.db);

  const handled: number[] = [];
  home.consumer([on(Counted, async ({ payload }) => void handled.push(payload.n))]);
  const second = home.relay({ log });
  await count(2);
  await waitFor(() => handled.length === 3);
  expect(handled).toEqual([0, 1, 2]);
  expect(await published()).toEqual([0, 1, 1, 2]);
  const resent = "events that a release published without a signature are published again";
  expect(logged).toMatchObject([{ level: 30, msg: resent, rows: 1 }]);

  await drained();
  await second.stop();
  home.relay({ log });
  await count(3);
  await drained();
  expect(await published()).toEqual([0, 1, 1, 2, 3]);
  expect(messages()).toEqual([resent]);
});

test("a stream that another service made again is filled again with what is retained", async () => {
  home.relay({ log });
  for (const n of [0, 1, 2]) await count(n);
  await drained();
  expect(logged).toEqual([]);
  await replaceStream();
  await count(3);
  await waitFor(async () => (await published()).length >= 4);
  await drained();
  // What was published into the new stream before it was inspected is in it already.
  expect((await published()).sort()).toEqual([0, 1, 2, 3]);
  expect(logged).toMatchObject([
    { level: 40, msg: "the event stream lost its data, the retained events are published again", rows: 4 },
  ]);
});

test("a stream that was made again is detected after a while though nothing is to be published", async () => {
  home.relay();
  for (const n of [0, 1]) await count(n);
  await drained();
  await replaceStream();
  vi.useFakeTimers({ now: Date.now() + 20_000, toFake: ["Date"] });
  await waitFor(async () => (await published()).length === 2);
  expect(await published()).toEqual([0, 1]);
});

test("the stream is looked at once for all that is published over one connection", async () => {
  const looks = await countMessages(`$JS.API.STREAM.INFO.${home.stream}`);
  home.relay();
  for (let n = 0; n < 20; n += 1) {
    await count(n);
    await drained();
  }
  await connection.flush();
  expect(looks.count).toBe(1);
});

test("the stream is looked at again when the last look is more than 15 seconds ago", async () => {
  const start = Date.now();
  vi.useFakeTimers({ now: start, toFake: ["Date"] });
  const looks = await countMessages(`$JS.API.STREAM.INFO.${home.stream}`);
  home.relay();
  for (const [n, afterMs] of [0, 15_000, 15_001].entries()) {
    vi.setSystemTime(start + afterMs);
    await count(n);
    await drained();
  }
  await connection.flush();
  expect(looks.count).toBe(2);
});

test("a stream that others filled in the place of a service's only event is filled again with it", async () => {
  const first = home.relay({ log });
  await count(0);
  await drained();
  await first.stop();
  await replaceStream();
  await connection.jetstream().publish(`${home.prefix}.sites.thing.changed`, "{}");
  // As when the stream was set back and not made anew: it was created at the time in the cursor.
  const { created } = await manager.streams.info(home.stream);
  await sql`update event_cursor set created = ${String(created)}`.execute(home.db);
  home.relay({ log });
  await waitFor(async () => (await published()).length === 1);
  expect(logged).toMatchObject([
    { msg: "the event stream lost its data, the retained events are published again", rows: 1 },
  ]);
});

test("what expired is not sent again, and neither is what was sent into a stream that others filled", async () => {
  const relay = home.relay({ log });
  for (const n of [0, 1]) await count(n);
  await drained();
  await relay.stop();
  await manager.streams.purge(home.stream);
  const again = home.relay({ log });
  await count(2);
  await drained();
  expect(await published()).toEqual([2]);
  await again.stop();
  for (let n = 0; n < 3; n += 1)
    await connection.jetstream().publish(`${home.prefix}.sites.thing.changed`, "{}");
  home.relay({ log });
  await count(3);
  await drained();
  expect(await published()).toEqual([2, 3]);
  expect(logged).toEqual([]);
});

test("a service that has never published begins in a stream that others filled", async () => {
  const first = home.relay({ log });
  await waitFor(async () => (await home.db.selectFrom("event_cursor").selectAll().execute()).length === 1);
  await first.stop();
  for (let n = 0; n < 3; n += 1)
    await connection.jetstream().publish(`${home.prefix}.sites.thing.changed`, "{}");
  home.relay({ log });
  await count(0);
  await drained();
  expect(await published()).toEqual([0]);
  expect(logged).toEqual([]);
});

test("a stream that rejects messages is logged once, and so is its recovery; no event overtakes another", async () => {
  home.relay({ log });
  await count(0);
  await drained();
  const { config } = await manager.streams.info(home.stream);
  await manager.streams.update(home.stream, { ...config, max_msg_size: 10 });
  const tries = await countMessages(`${home.prefix}.>`);
  for (const n of [1, 2, 3]) await count(n);
  await waitFor(() => tries.count >= 3);
  expect((await backlog(home)).unpublished).toBe(3);
  expect(messages()).toEqual(["events cannot be published, they wait"]);
  await manager.streams.update(home.stream, config);
  await drained();
  await count(4);
  await drained();
  expect(await published()).toEqual([0, 1, 2, 3, 4]);
  expect(messages()).toEqual(["events cannot be published, they wait", "events are published again"]);
  await manager.streams.update(home.stream, { ...config, max_msg_size: 10 });
  await count(5);
  await waitFor(() => messages().length === 3);
  await manager.streams.update(home.stream, config);
  await drained();
  expect(messages()[2]).toBe("events cannot be published, they wait");
});

test("thousands of events of the past are removed in one sweep", async () => {
  await sql`insert into outbox (id, name, aggregate, body, published_at, signed)
    select 'e' || n, ${Counted.name}, 'a', '{}', now() - interval '21 days 12 hours', true
    from generate_series(1, 2500) n`.execute(home.db);
  await sql`insert into outbox (id, name, aggregate, body, published_at, signed)
    values ('kept', ${Counted.name}, 'a', '{}', now() - interval '20 days 12 hours', true)`.execute(home.db);
  home.relay({ natsUrl: "nats://127.0.0.1:1" });
  const left = () => home.db.selectFrom("outbox").select("id").execute();
  await waitFor(async () => (await left()).length === 1);
  expect(await left()).toEqual([{ id: "kept" }]);
});
