import { sql } from "kysely";
import { connect, type NatsConnection } from "nats";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import { atBeginning, isRewound } from "./cursor.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const on = createListener<HandlerBase<SharedTables>>();

let home: Awaited<ReturnType<typeof testEvents>>;
let thief: NatsConnection;
let handled: number[];
beforeEach(async () => {
  home = await testEvents();
  thief = await connect({ servers: process.env.NATS_URL });
  handled = [];
});
afterEach(async () => {
  await thief.close();
  await home.end();
});

const listen = on(Counted, async ({ payload }) => void handled.push(payload.n));
const count = (n: number) => home.emit(Counted, "a", { n });
const expectHandled = (...numbers: number[]) =>
  waitFor(() => handled.length >= numbers.length).then(() => expect(handled).toEqual(numbers));

/** Takes the next message that the durable delivers away from the service, which never acknowledges it. */
async function steal(): Promise<void> {
  const consumer = await thief.jetstream().consumers.get(home.stream, "content-content");
  const stolen = await consumer.next({ expires: 10_000 });
  expect(stolen).not.toBeNull();
}

test("a message that never arrived is detected by the next one, and read again in its place", async () => {
  home.relay();
  home.consumer([listen]);
  await count(0);
  await expectHandled(0);
  const stealing = steal();
  let n = 0;
  // Who of the two waits for the next message is the server's choice.
  for (let over = false; !over; ) {
    n += 1;
    await count(n);
    over = await Promise.race([
      stealing.then(() => true),
      new Promise<false>((r) => setTimeout(r, 200, false)),
    ]);
  }
  await count(n + 1);
  await expectHandled(...Array.from({ length: n + 2 }, (_, at) => at));
});

test("a last message that never arrived is detected after a time without messages", async () => {
  home.relay();
  home.consumer([listen]);
  await count(0);
  await expectHandled(0);
  const stealing = steal();
  let n = 0;
  for (let over = false; !over; ) {
    n += 1;
    await count(n);
    over = await Promise.race([
      stealing.then(() => true),
      new Promise<false>((r) => setTimeout(r, 200, false)),
    ]);
  }
  await expectHandled(...Array.from({ length: n + 1 }, (_, at) => at));
});

test("a stream that was made anew, or ends before what was read or published, is another one", () => {
  const cursor = { created: "monday", sequence: 5, stamp: null, seen: 8 };
  expect(isRewound(cursor, { created: "monday", lastSequence: 8 })).toBe(false);
  expect(isRewound(cursor, { created: "monday", lastSequence: 7 })).toBe(true);
  expect(isRewound({ ...cursor, seen: 0 }, { created: "monday", lastSequence: 4 })).toBe(true);
  expect(isRewound(cursor, { created: "tuesday", lastSequence: 9 })).toBe(true);
});

test("a service that has not begun with a stream has read nothing of it", () => {
  expect(atBeginning("monday")).toEqual({ created: "monday", sequence: 0, stamp: null, seen: 0 });
});

test("old events that cannot be removed are logged, not retried at once, and stop nothing else", async () => {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  await sql`alter table inbox rename column received_at to received`.execute(home.db);
  home.relay();
  home.consumer([listen], { log });
  await waitFor(() => warnings.length > 0);
  await sql`alter table inbox rename column received to received_at`.execute(home.db);
  await count(0);
  await expectHandled(0);
  expect(warnings).toEqual(["old events cannot be removed"]);
});

test("thousands of handled events of the past are removed in one sweep", async () => {
  await sql`insert into inbox (id, name, aggregate, body, received_at, handled_at)
    select 'e' || n, 'a.b.c', 'a', '{}', now() - interval '36 days', now() - interval '36 days'
    from generate_series(1, 2500) n`.execute(home.db);
  home.consumer([]);
  await waitFor(async () => (await home.db.selectFrom("inbox").select("id").execute()).length === 0);
});

test("handled events are removed after their retention, parked ones after half a year, and others stay", async () => {
  const add = (id: string, row: object) =>
    home.db
      .insertInto("inbox")
      .values({ id, name: "a.b.c", aggregate: id, body: "{}", ...row })
      .execute();
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await add("old", { received_at: ago(40), handled_at: ago(35.5) });
  await add("again", { received_at: ago(2), handled_at: ago(36) });
  await add("recent", { received_at: ago(40), handled_at: ago(34.5) });
  await add("parked", { received_at: ago(170), parked_at: ago(170) });
  await add("forgotten", { received_at: ago(190), parked_at: ago(190) });
  home.consumer([]);
  const left = async () =>
    (await home.db.selectFrom("inbox").select("id").orderBy("id").execute()).map(({ id }) => id);
  await waitFor(async () => (await left()).length === 3);
  expect(await left()).toEqual(["again", "parked", "recent"]);
});

test("a failed lookup in the inbox is logged as an error, and handling goes on once it works", async () => {
  const errors: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line).msg) });
  home.relay();
  home.consumer([listen], { log });
  await count(0);
  await expectHandled(0);
  await sql`alter table inbox rename column due_at to due`.execute(home.db);
  await waitFor(() => errors.length > 0);
  await sql`alter table inbox rename column due to due_at`.execute(home.db);
  await count(1);
  await expectHandled(0, 1);
  expect(errors).toEqual(["events that came in cannot be looked up, none is handled"]);
});
