import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import { transact } from "../database/transact.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import { emit } from "./outbox.js";
import { backlog } from "./parked.js";

const Counted = defineEvent("content.thing.counted", z.object({ thing: z.string(), n: z.number() }));

let home: Awaited<ReturnType<typeof testEvents>>;
beforeEach(async () => {
  home = await testEvents();
});
afterEach(() => home.end());

const count = (thing: string, n: number) => home.emit(Counted, thing, { thing, n });
const drained = () => waitFor(async () => (await backlog(home)).unpublished === 0);
const numbersOf = async (thing: string) =>
  (await home.published())
    .filter(({ aggregate }) => aggregate === thing)
    .map(({ payload }) => (payload as { n: number }).n);
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index);

test("emit outside a transaction, or with a payload that breaks the contract, throws", async () => {
  await expect(emit({ db: home.db }, Counted, "a", { thing: "a", n: 1 })).rejects.toThrow(
    "outside a transaction",
  );
  await expect(home.emit(Counted, "a", { thing: "a", n: "1" as never })).rejects.toThrow(z.ZodError);
});

test("an event leaves when its transaction commits, and never when it rolls back", async () => {
  home.relay();
  const undone = transact({ db: home.db, requestId: "r1", traceparent: "t1" }, async (ctx) => {
    await emit(ctx, Counted, "a", { thing: "a", n: 1 });
    throw new Error("no");
  });
  await expect(undone).rejects.toThrow("no");
  const id = await transact({ db: home.db, requestId: "r2", traceparent: "t2" }, (ctx) =>
    emit(ctx, Counted, "a", { thing: "a", n: 2 }),
  );
  await drained();
  const [event, ...more] = await home.published();
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    id,
    name: Counted.name,
    version: 1,
    aggregate: "a",
    requestId: "r2",
    traceparent: "t2",
  });
  expect(event?.payload).toEqual({ thing: "a", n: 2 });
});

test("two relays at once publish each event once and in order", async () => {
  home.relay();
  home.relay();
  const things = ["a", "b", "c"];
  await Promise.all(
    things.map(async (thing) => {
      for (const n of upTo(100)) await count(thing, n);
    }),
  );
  await drained();
  for (const thing of things) expect(await numbersOf(thing)).toEqual(upTo(100));
});

test("concurrent writers of one aggregate leave in the order of their commits", async () => {
  home.relay();
  await sql`create table tally (n int not null)`.execute(home.db);
  await sql`insert into tally values (0)`.execute(home.db);
  // The number is drawn after the event's place in the line, by several connections at once.
  await Promise.all(
    upTo(8).map(async () => {
      for (const _ of upTo(15)) {
        await transact({ db: home.db }, async ({ db }) => {
          await emit({ db }, Counted, "a", { thing: "a", n: 0 });
          const { rows } = await sql<{ n: number }>`update tally set n = n + 1 returning n - 1 as n`.execute(
            db,
          );
          await sql`update outbox set body = jsonb_set(body, '{payload,n}', to_jsonb(${rows[0]?.n}::int))
            where position = (select max(position) from outbox)`.execute(db);
        });
      }
    }),
  );
  await drained();
  expect(await numbersOf("a")).toEqual(upTo(120));
});

test("another copy takes over when the one that publishes ends", async () => {
  const first = home.relay();
  await count("a", 0);
  await drained();
  home.relay();
  await first.stop();
  await count("a", 1);
  await drained();
  expect(await numbersOf("a")).toEqual([0, 1]);
});

test("a relay whose database connections are cut goes on", async () => {
  home.relay();
  await count("a", 0);
  await drained();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${`${home.schema} relay`}`.execute(home.db);
  await count("a", 1);
  await drained();
  expect(await numbersOf("a")).toEqual([0, 1]);
});

test("a relay that was killed between publishing and marking publishes nothing twice", async () => {
  const first = home.relay();
  for (const n of upTo(3)) await count("a", n);
  await drained();
  await first.stop();
  await home.db.updateTable("outbox").set({ published_at: null }).execute();
  home.relay();
  await drained();
  expect(await numbersOf("a")).toEqual([0, 1, 2]);
});

test("published events are pruned after their retention, waiting ones stay", async () => {
  const relay = home.relay();
  for (const n of upTo(3)) await count("a", n);
  await drained();
  await relay.stop();
  await home.db
    .updateTable("outbox")
    .set({ published_at: "2020-01-01T00:00:00.000Z" })
    .where("position", "<=", 2)
    .execute();
  await count("a", 3);
  home.relay({ natsUrl: "nats://127.0.0.1:1" });
  const left = () => home.db.selectFrom("outbox").select("position").orderBy("position").execute();
  await waitFor(async () => (await left()).length === 2);
  expect((await left()).map(({ position }) => position)).toEqual([3, 4]);
});

test("2,000 events of one moment are all published", async () => {
  await sql`insert into outbox (id, name, aggregate, body)
    select 'e' || n, ${Counted.name}, 'a' || (n % 200), jsonb_build_object('id', 'e' || n, 'name', ${Counted.name}::text,
      'version', 1, 'aggregate', 'a' || (n % 200), 'occurredAt', now(), 'payload', jsonb_build_object('thing', 'x', 'n', n))
    from generate_series(1, 2000) n`.execute(home.db);
  // Batch follows batch without a signal.
  home.relay({ pollMs: 3_600_000 });
  await drained();
  const events = await home.published();
  expect(events.length).toBe(2000);
  const ofOne = events
    .filter(({ aggregate }) => aggregate === "a7")
    .map(({ payload }) => (payload as { n: number }).n);
  expect(ofOne).toEqual([...ofOne].sort((a, b) => a - b));
});
