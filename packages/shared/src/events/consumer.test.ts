import { sql } from "kysely";
import { connect } from "nats";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import { publishRaw, testSigner } from "../testing/signing.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";
import { backlog, parkedEvents, replay } from "./parked.js";

const Counted = defineEvent("content.thing.counted", z.object({ thing: z.string(), n: z.number() }));
const Other = defineEvent("content.thing.other", z.object({}));
const Unheard = defineEvent("content.thing.unheard", z.object({}));
const on = createListener<HandlerBase<SharedTables>>();

let home: Awaited<ReturnType<typeof testEvents>>;
beforeEach(async () => {
  home = await testEvents();
  await sql`create table seen (place int generated always as identity, thing text, n int)`.execute(home.db);
});
afterEach(() => home.end());

const retry = { attempts: 3, baseMs: 30 };
const count = (thing: string, n: number) => home.emit(Counted, thing, { thing, n });
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index);
const seen = async () => {
  const { rows } = await sql<{ thing: string; n: number }>`select thing, n from seen order by place`.execute(
    home.db,
  );
  return rows;
};
const seenOf = async (thing: string) => (await seen()).filter((row) => row.thing === thing).map(({ n }) => n);
const see = on(Counted, async ({ ctx, payload: { thing, n } }) => {
  await sql`insert into seen (thing, n) values (${thing}, ${n})`.execute(ctx.db);
});

/** Everything that was emitted was published, taken in, and handled or parked: checked in the order it happens. */
const settled = () =>
  waitFor(async () => {
    const { unpublished } = await backlog(home);
    const { rows } = await sql<{ all: boolean }>`
      select coalesce((select sequence from event_cursor where role = 'consumer content'), 0)
        >= coalesce((select sequence from event_cursor where role = 'relay'), 0) as all`.execute(home.db);
    const { pending } = await backlog(home);
    return unpublished === 0 && rows[0]?.all && pending === 0;
  });

test("an event is handled once, with its payload, its trace and the service's context", async () => {
  let received: unknown;
  const listen = on(Counted, async ({ ctx, payload, event }) => {
    received = { payload, event, inTransaction: ctx.db.isTransaction, requestId: ctx.requestId };
  });
  home.relay();
  home.consumer([listen, see]);
  const id = await count("a", 1);
  await settled();
  expect(received).toEqual({
    payload: { thing: "a", n: 1 },
    event: {
      id,
      name: Counted.name,
      aggregate: "a",
      occurredAt: expect.stringMatching(/Z$/),
      publisher: "content",
    },
    inTransaction: true,
    requestId: id,
  });
  expect(await seen()).toEqual([{ thing: "a", n: 1 }]);
});

test("events that nobody listens to leave no trace in the inbox", async () => {
  home.relay();
  // With more than one name all that the publisher sends is read.
  home.consumer([see, on(Other, async () => undefined)]);
  await home.emit(Unheard, "a", {});
  await count("a", 1);
  await settled();
  const rows = await home.db.selectFrom("inbox").select("name").execute();
  expect(rows).toEqual([{ name: Counted.name }]);
});

test("two copies of a service handle 300 events of ten things once and in order", async () => {
  home.relay();
  home.consumer([see]);
  home.consumer([see]);
  await Promise.all(
    upTo(10).map(async (thing) => {
      for (const n of upTo(30)) await count(`t${thing}`, n);
    }),
  );
  await settled();
  for (const thing of upTo(10)) expect(await seenOf(`t${thing}`)).toEqual(upTo(30));
});

test("events that come one by one without an end are not taken for held back", async () => {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  home.relay();
  home.consumer([see], { log });
  for (const n of upTo(500)) await count("a", n);
  await settled();
  expect(await seenOf("a")).toEqual(upTo(500));
  expect(warnings).toEqual([]);
});

test("an event that is delivered again is not handled again", async () => {
  const first = home.relay();
  const consumer = home.consumer([see]);
  await count("a", 1);
  await settled();
  await Promise.all([first.stop(), consumer.stop()]);
  // The same event once more, past the server's window of duplicates, and read from the start of the stream.
  const [event] = await home.published();
  const subject = `${home.prefix}.${Counted.name}`;
  await publishRaw([{ subject, signer: testSigner("content"), body: event! }]);
  await sql`delete from event_cursor where role like 'consumer %'`.execute(home.db);
  home.relay();
  home.consumer([see]);
  await count("a", 2);
  await settled();
  expect(await seenOf("a")).toEqual([1, 2]);
});

test("a poison event is parked with its error while the others flow, and a replay handles it", async () => {
  let poisonous = true;
  const listen = on(Counted, async ({ payload: { thing, n } }) => {
    if (poisonous && thing === "bad" && n === 0) throw new Error("indigestible");
  });
  home.relay();
  home.consumer([see, listen], { retry });
  const id = await count("bad", 0);
  await count("bad", 1);
  for (const n of upTo(5)) await count("good", n);
  await waitFor(async () => (await seenOf("good")).length === 5);
  await settled();
  expect(await seenOf("good")).toEqual(upTo(5));
  // What the failed tries wrote is undone, and the later event of the aggregate went on.
  expect(await seenOf("bad")).toEqual([1]);
  const parked = await parkedEvents({ db: home.db });
  expect(parked).toMatchObject([
    { id, aggregate: "bad", attempts: 3, error: expect.stringContaining("indigestible") },
  ]);

  poisonous = false;
  expect(await replay({ db: home.db }, [id, "unknown"])).toEqual([id]);
  await settled();
  expect(await seenOf("bad")).toEqual([1, 0]);
  expect(await parkedEvents({ db: home.db })).toEqual([]);
});

test("a handler that fails for a while delays its own aggregate only, and keeps its order", async () => {
  let failures = 2;
  const listen = on(Counted, async ({ payload }) => {
    if (payload.thing === "slow" && failures-- > 0) throw new Error("not yet");
  });
  home.relay();
  home.consumer([listen, see], { retry: { attempts: 5, baseMs: 100 }, concurrency: 1 });
  await count("slow", 0);
  await count("slow", 1);
  await count("other", 0);
  await settled();
  expect(await seenOf("slow")).toEqual([0, 1]);
  expect((await seen())[0]).toEqual({ thing: "other", n: 0 });
});

test("a handler that hangs is given up at its deadline and parked", async () => {
  home.relay();
  const hang = on(
    Counted,
    async ({ ctx }) => new Promise((resolve) => ctx.signal.addEventListener("abort", resolve)),
  );
  home.consumer([hang], { retry: { attempts: 1, deadlineMs: 100 } });
  await count("a", 0);
  await settled();
  expect(await parkedEvents({ db: home.db })).toMatchObject([{ error: expect.stringContaining("too long") }]);
});

test("a payload that breaks its contract is parked at the first try; unknown fields are ignored", async () => {
  const Later = defineEvent(Counted.name, z.object({ thing: z.string(), n: z.string(), more: z.number() }));
  const Richer = defineEvent(Counted.name, z.object({ thing: z.string(), n: z.number(), more: z.number() }));
  home.relay();
  home.consumer([see], { retry });
  await home.emit(Later, "a", { thing: "a", n: "one", more: 1 });
  await home.emit(Richer, "b", { thing: "b", n: 1, more: 1 });
  await settled();
  expect(await seen()).toEqual([{ thing: "b", n: 1 }]);
  expect(await parkedEvents({ db: home.db })).toMatchObject([{ aggregate: "a", attempts: 1 }]);
});

test("a copy that dies while it handles changes nothing; the other one handles the event", async () => {
  let entered = 0;
  const stuck = on(Counted, async ({ ctx, payload: { thing, n } }) => {
    await sql`insert into seen (thing, n) values (${thing}, ${n})`.execute(ctx.db);
    entered += 1;
    if (entered === 1) await new Promise((resolve) => setTimeout(resolve, 4_000));
  });
  home.relay();
  home.consumer([stuck]);
  await count("a", 0);
  await waitFor(() => entered === 1);
  home.consumer([see]);
  // The end of a process ends its connections: the leader's, and the one with the open transaction.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
    and (application_name = ${`${home.schema} consumer`}
      or application_name = ${home.schema} and state = 'idle in transaction')`.execute(home.db);
  await settled();
  expect(await seenOf("a")).toEqual([0]);
});

test("two leaders at once, one of them unaware of its end, handle an event once", async () => {
  let running = 0;
  let most = 0;
  const slow = on(Counted, async ({ ctx, payload: { thing, n } }) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await sql`insert into seen (thing, n) values (${thing}, ${n})`.execute(ctx.db);
    running -= 1;
  });
  home.relay();
  home.consumer([slow]);
  await count("a", 0);
  await count("a", 1);
  await waitFor(() => running === 1);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${`${home.schema} consumer`}`.execute(home.db);
  home.consumer([slow]);
  await settled();
  expect(most).toBe(1);
  expect(await seenOf("a")).toEqual([0, 1]);
});

test("a deleted durable consumer is made again and misses nothing", async () => {
  home.relay();
  home.consumer([see]);
  await count("a", 0);
  await settled();
  const connection = await connect({ servers: process.env.NATS_URL });
  const { consumers } = await connection.jetstreamManager();
  const [durable] = await consumers.list(home.stream).next();
  // The server may still be writing into the folder that it removes.
  await waitFor(() =>
    consumers.delete(home.stream, durable!.name).catch((error: Error) => /not found/.test(error.message)),
  );
  for (const n of [1, 2]) await count("a", n);
  await settled();
  await connection.close();
  expect(await seenOf("a")).toEqual([0, 1, 2]);
});

test("a consumer that was away catches up, 2,000 events in order", async () => {
  home.relay();
  await sql`insert into outbox (id, name, aggregate, body)
    select 'e' || n, ${Counted.name}, 'a' || (n % 50), jsonb_build_object('id', 'e' || n, 'name', ${Counted.name}::text,
      'version', 1, 'aggregate', 'a' || (n % 50), 'occurredAt', now(),
      'payload', jsonb_build_object('thing', 'a' || (n % 50), 'n', n))
    from generate_series(1, 2000) n`.execute(home.db);
  await waitFor(async () => (await backlog(home)).unpublished === 0);
  home.consumer([see]);
  await waitFor(async () => (await seen()).length === 2_000);
  const numbers = await seenOf("a7");
  expect(numbers.length).toBe(40);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
});

test("events that expired unread are no reason to wait for them", async () => {
  home.relay();
  const consumer = home.consumer([see]);
  await count("a", 0);
  await settled();
  await consumer.stop();
  await count("a", 1);
  await waitFor(async () => (await backlog(home)).unpublished === 0);
  const connection = await connect({ servers: process.env.NATS_URL });
  await (await connection.jetstreamManager()).streams.purge(home.stream);
  await connection.close();
  home.consumer([see]);
  await count("a", 2);
  await waitFor(async () => (await seenOf("a")).length === 2);
  expect(await seenOf("a")).toEqual([0, 2]);
});
