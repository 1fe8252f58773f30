import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import {
  inboxTables,
  outboxTables,
  type SharedTables,
  signedEventTables,
} from "../database/shared-tables.js";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import { DEFAULT_RETRY, type HandlerBase } from "./handling.js";
import { handleInbox } from "./inbox.js";
import { createListener, onMany, type Subscription } from "./listen.js";
import { createWakeSignal } from "./wake-signal.js";

type Context = HandlerBase<SharedTables>;
const Noted = defineEvent("content.thing.noted", z.object({ n: z.number() }));
const Other = defineEvent("content.thing.other", z.object({ n: z.number() }));
const on = createListener<Context>();

const migrations = {
  "0001-events": {
    up: async (db: TestSchema<SharedTables>["db"]) => {
      await outboxTables(db);
      await inboxTables(db);
      await signedEventTables(db);
      await sql`create table note (event text primary key, transaction text not null)`.execute(db);
    },
  },
};

let home: TestSchema<SharedTables>;
let stop: () => Promise<void>;
let logged: string[];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
beforeEach(async () => {
  home = await testSchema<SharedTables>({ service: "together", migrations });
  logged = [];
});
afterEach(async () => {
  await stop();
  await home.drop();
});

function start(subscriptions: Subscription<Context>[], attempts = 1) {
  const stopping = new AbortController();
  const signal = createWakeSignal();
  // It ends no wait by itself, so that nothing goes on because time passed.
  const bell = {
    rings: 0,
    waits: 0,
    notify: () => {
      bell.rings += 1;
      signal.notify();
    },
    wait: (_: number, stop: AbortSignal) => {
      bell.waits += 1;
      return signal.wait(3_600_000, stop);
    },
  };
  const retry = { ...DEFAULT_RETRY, attempts, baseMs: 1 };
  const options = {
    db: home.db,
    subscriptions,
    log,
    concurrency: 2,
    retry,
    context: (base: Context) => base,
  };
  const running = handleInbox(options, bell, stopping.signal);
  stop = async () => {
    stopping.abort();
    await running;
  };
  return bell;
}

async function arrive(ids: string[], aggregate = (id: string) => id, name = Noted.name) {
  const rows = ids.map((id) => {
    const of = { id, name, aggregate: aggregate(id) };
    const body = { ...of, version: 1, payload: { n: 1 }, occurredAt: "2026-11-01T00:00:00.000Z" };
    return { ...of, body: JSON.stringify(body) };
  });
  await home.db.insertInto("inbox").values(rows).execute();
}
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`);

/** Writes down each event and the transaction that it was handled in. */
const note = onMany<Context, typeof Noted.payload>(Noted, ({ ctx, events }) => {
  const ids = events.map(({ event }) => event.id);
  return sql`insert into note select id, txid_current()::text from unnest(${ids}::text[]) as id`.execute(
    ctx.db,
  );
});

async function notes() {
  const { rows } = await sql<{ event: string; transaction: string }>`select * from note`.execute(home.db);
  return rows;
}

async function allSettled(count: number) {
  await waitFor(async () => {
    const { rows } = await sql<{ settled: number }>`select count(*)::int as settled from inbox
      where handled_at is not null or parked_at is not null`.execute(home.db);
    return rows[0]!.settled === count;
  });
}

test("hundreds of events of a name are handled 200 in a transaction, each once", async () => {
  await arrive(idsOf(401), (id) => `thing-${id.length}`);
  start([note]);
  await allSettled(401);
  const noted = await notes();
  expect(noted).toHaveLength(401);
  expect(new Set(noted.map(({ transaction }) => transaction)).size).toBe(3);
});

test("a batch ends with the event that brings it to a megabyte", async () => {
  await arrive(idsOf(4));
  const text = sql`(select string_agg(md5(random()::text), '') from generate_series(1, 14000))`;
  await sql`update inbox set body = body || jsonb_build_object('more', ${text})`.execute(home.db);
  start([note]);
  await allSettled(4);
  const [first, ...others] = (await notes()).map(({ transaction }) => transaction);
  expect(others.map((transaction) => transaction === first)).toEqual([true, true, false]);
});

test("a handled batch triggers the next lookup, and an empty lookup triggers none", async () => {
  const idle = start([note]);
  await waitFor(() => idle.waits === 1);
  await stop();
  expect(idle.rings).toBe(0);
  await arrive(["e0"]);
  const bell = start([note]);
  await allSettled(1);
  await stop();
  expect(bell.rings).toBe(1);
});

test("events of one name are handled together though none waits of another such name", async () => {
  const others = onMany<Context, typeof Other.payload>(Other, async ({ events }) => {
    expect(events).not.toEqual([]);
  });
  await arrive(idsOf(3));
  start([others, note, others]);
  await allSettled(3);
  expect(new Set((await notes()).map(({ transaction }) => transaction)).size).toBe(1);
});

test("events of several names that are handled together reach the handlers of their own name alone", async () => {
  const heard: string[] = [];
  const hear = (event: typeof Noted) =>
    onMany<Context, typeof Noted.payload>(event, async ({ events }) => {
      heard.push(events.map((one) => `${event.name} ${one.event.id}`).join());
    });
  await arrive(["e1", "e2"]);
  await arrive(["e3"], undefined, Other.name);
  start([hear(Other), hear(Noted)]);
  await allSettled(3);
  expect(heard).toEqual([`${Other.name} e3`, `${Noted.name} e1,${Noted.name} e2`]);
});

test("a batch is done in the name of the request of its first event, and counted in the log", async () => {
  let received: unknown;
  const many = onMany<Context, typeof Noted.payload>(Noted, async ({ ctx, events }) => {
    received = [ctx.requestId, events.map(({ event }) => event.id)];
  });
  await arrive(["e1", "e2"]);
  start([many]);
  await allSettled(2);
  expect(received).toEqual(["e1", ["e1", "e2"]]);
});

test("events of a batch that failed are handled one by one before any are tried together again", async () => {
  const sizes: number[] = [];
  let open = () => {};
  const allBegun = new Promise<void>((resolve) => {
    open = resolve;
  });
  const many = onMany<Context, typeof Noted.payload>(Noted, async ({ events }) => {
    sizes.push(events.length);
    if (events.length > 1) throw new Error("too many");
    if (sizes.length === 3) open();
    await allBegun;
  });
  await arrive(idsOf(2));
  start([many]);
  await allSettled(2);
  expect(sizes).toEqual([2, 1, 1]);
});

test("one event that fails is parked alone, and all others are handled", async () => {
  await arrive(idsOf(30));
  const failing: typeof note = {
    ...onMany<Context, typeof Noted.payload>(Noted, async (many) => {
      if (many.events.some(({ event }) => event.id === "e17")) throw new Error("e17 is not to be handled");
      await note.handleMany!(many);
    }),
  };
  start([failing]);
  await allSettled(30);
  expect((await notes()).map(({ event }) => event).toSorted()).toEqual(
    idsOf(30)
      .filter((id) => id !== "e17")
      .toSorted(),
  );
  const parked = await home.db.selectFrom("inbox").select(["id", "error"]).where("parked_at", "is not", null);
  expect(await parked.execute()).toEqual([
    { id: "e17", error: expect.stringContaining("e17 is not to be handled") },
  ]);
  expect(logged).toEqual(["an event is parked"]);
});

test("an event with a payload that breaks its contract is parked, and holds up nobody", async () => {
  await arrive(idsOf(10));
  await sql`update inbox set body = jsonb_set(body, '{payload}', '{"n": "many"}') where id = 'e3'`.execute(
    home.db,
  );
  start([note]);
  await allSettled(10);
  expect(await notes()).toHaveLength(9);
});

test("an event that another handler takes alone is handled alone, after what came before it of its aggregate", async () => {
  const order: string[] = [];
  await arrive(["e0", "e1"], () => "thing");
  await arrive(["e2"], () => "thing", Other.name);
  const many = onMany<Context, typeof Noted.payload>(Noted, async ({ events }) => {
    order.push(events.map(({ event }) => event.id).join());
  });
  start([many, on(Other, async ({ event }) => void order.push(event.id))]);
  await allSettled(3);
  expect(order).toEqual(["e0,e1", "e2"]);
});

test("a name with one handler that takes events alone is handled one by one", async () => {
  await arrive(idsOf(3));
  const alone: string[] = [];
  start([note, on(Noted, async ({ event }) => void alone.push(event.id))]);
  await allSettled(3);
  expect(alone.toSorted()).toEqual(idsOf(3));
  expect(new Set((await notes()).map(({ transaction }) => transaction)).size).toBe(3);
});

test("an event that waits alone is handled", async () => {
  await arrive(["e0"]);
  start([note]);
  await allSettled(1);
  expect(await notes()).toHaveLength(1);
});

test("one batch is handled at a time, however often the consumer is notified", async () => {
  await arrive(idsOf(401));
  let [running, most] = [0, 0];
  const counting = onMany<Context, typeof Noted.payload>(Noted, async () => {
    running += 1;
    most = Math.max(most, running);
    for (let at = 0; at < 3; at += 1) {
      bell.notify();
      await sleep(20);
    }
    running -= 1;
  });
  const bell = start([counting]);
  await allSettled(401);
  expect(most).toBe(1);
});

test("a stop ends the batch that is being handled, whose events wait for the next start", async () => {
  await arrive(idsOf(5));
  let begun = () => {};
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const endless = onMany<Context, typeof Noted.payload>(Noted, async ({ ctx }) => {
    begun();
    await once(ctx.signal!, "abort");
    ctx.signal!.throwIfAborted();
  });
  start([endless]);
  await beginning;
  await stop();
  const waiting = home.db.selectFrom("inbox").select("id").where("handled_at", "is", null);
  expect(await waiting.where("parked_at", "is", null).execute()).toHaveLength(5);
});
