import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import {
  inboxTables,
  outboxTables,
  type SharedTables,
  signedEventTables,
} from "../database/shared-tables.js";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import { DEFAULT_RETRY, type HandlerBase, type RetryOptions } from "./handling.js";
import { handleInbox } from "./inbox.js";
import { createListener, type Subscription } from "./listen.js";
import { createWakeSignal, type WakeSignal } from "./wake-signal.js";

const Changed = defineEvent("content.thing.changed", z.object({ n: z.number() }));
const Other = defineEvent("content.thing.other", z.object({ n: z.number() }));
const on = createListener<HandlerBase<SharedTables>>();

const migrations = {
  "0001-events": {
    up: async (db: TestSchema<SharedTables>["db"]) => {
      await outboxTables(db);
      await inboxTables(db);
      await signedEventTables(db);
    },
  },
};

let home: TestSchema<SharedTables>;
let stops: (() => Promise<void>)[];
let logged: { level: number; msg: string; attempts?: number }[];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeEach(async () => {
  home = await testSchema<SharedTables>({ service: "inbox", migrations });
  stops = [];
  logged = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(stops.map((stop) => stop()));
  await home.drop();
});

interface Start {
  retry?: Partial<RetryOptions>;
  concurrency?: number;
  bell?: WakeSignal;
  pace?: () => Promise<void>;
}

/** Handles the inbox. Its bell ends no wait by itself, so that nothing goes on because time passed. */
function start(subscriptions: Subscription<HandlerBase<SharedTables>>[], options: Start = {}) {
  const { retry, concurrency = 4, bell = createWakeSignal(), pace } = options;
  const counts = { waits: 0, rings: 0 };
  const patient: WakeSignal = {
    notify: () => {
      counts.rings += 1;
      bell.notify();
    },
    wait: (_, signal) => {
      counts.waits += 1;
      return bell.wait(3_600_000, signal);
    },
  };
  const stopping = new AbortController();
  const running = handleInbox(
    {
      db: home.db,
      subscriptions,
      log,
      concurrency,
      context: (base: HandlerBase<SharedTables>) => base,
      retry: { ...DEFAULT_RETRY, ...retry },
    },
    patient,
    stopping.signal,
    pace,
  );
  const stop = async () => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return { ring: patient.notify, stop, abort: () => stopping.abort(), running, counts };
}

/** Puts an event into the inbox, as it came in. */
async function arrive(id: string, aggregate: string, n = 0, given: { name?: string; body?: object } = {}) {
  const { name = Changed.name } = given;
  const body = { id, name, version: 1, aggregate, payload: { n }, occurredAt: "2026-11-01T00:00:00.000Z" };
  await home.db
    .insertInto("inbox")
    .values({ id, name, aggregate, body: JSON.stringify({ ...body, ...given.body }) })
    .execute();
}
const rowOf = (id: string) =>
  home.db.selectFrom("inbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const isHandled = async (id: string) => (await rowOf(id)).handled_at !== null;
const messages = () => logged.map(({ msg }) => msg);

/** A promise and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("each handler of an event's name receives it, and no other", async () => {
  const received: string[] = [];
  await arrive("e1", "a", 1);
  await arrive("e2", "a", 2, { name: Other.name });
  start([
    on(Changed, async ({ payload }) => void received.push(`one ${payload.n}`)),
    on(Other, async ({ payload }) => void received.push(`other ${payload.n}`)),
    on(Changed, async ({ payload }) => void received.push(`two ${payload.n}`)),
  ]);
  await waitFor(() => isHandled("e2"));
  expect(received).toEqual(["one 1", "two 1", "other 2"]);
});

test("as many aggregates as there are places are handled side by side, and the next one when a place is free", async () => {
  const gates = ["a", "b", "c"].map(() => gate());
  const running: number[] = [];
  for (const [n, aggregate] of ["a", "b", "c"].entries()) await arrive(`e${n}`, aggregate, n);
  start(
    [
      on(Changed, async ({ payload: { n } }) => {
        running.push(n);
        await gates[n]!.opened;
      }),
    ],
    { concurrency: 2 },
  );
  await waitFor(() => running.length === 2);
  expect(running).toEqual([0, 1]);
  gates[1]!.open();
  await waitFor(() => running.length === 3);
  expect(await isHandled("e0")).toBe(false);
  for (const { open } of gates) open();
  await waitFor(() => isHandled("e0"));
});

test("an aggregate that takes long keeps no place from the others", async () => {
  const late = gate();
  await arrive("slow", "a", 0);
  await arrive("quick", "b", 1);
  start(
    [
      on(Changed, async ({ payload: { n } }) => {
        if (n === 0) await late.opened;
        else late.open();
      }),
    ],
    { concurrency: 2 },
  );
  await waitFor(async () => (await isHandled("slow")) && (await isHandled("quick")));
});

test("with one place aggregates are handled one after the other, and what comes later too", async () => {
  const handled: number[] = [];
  for (const n of [0, 1, 2]) await arrive(`e${n}`, `a${n}`, n);
  const { ring } = start([on(Changed, async ({ payload }) => void handled.push(payload.n))], {
    concurrency: 1,
  });
  await waitFor(() => isHandled("e2"));
  await arrive("e3", "a0", 3);
  ring();
  await waitFor(() => isHandled("e3"));
  expect(handled).toEqual([0, 1, 2, 3]);
});

test("the rows of one aggregate follow each other without a look-up between them", async () => {
  for (let n = 0; n < 30; n += 1) await arrive(`e${n}`, "a", n);
  const { counts } = start([on(Changed, async () => undefined)]);
  await waitFor(() => isHandled("e29"));
  await waitFor(() => counts.rings > 0);
  expect(counts.rings).toBe(1);
});

test("a stop lets what is being handled end, and begins no other row of it", async () => {
  const [entered, late] = [gate(), gate()];
  let over = false;
  for (const n of [0, 1]) await arrive(`e${n}`, "a", n);
  const { abort, running } = start([
    on(Changed, async () => {
      entered.open();
      await late.opened;
    }),
  ]);
  await entered.opened;
  abort();
  void running.then(() => {
    over = true;
  });
  await sql`select 1`.execute(home.db);
  expect(over).toBe(false);
  late.open();
  await running;
  expect([await isHandled("e0"), await isHandled("e1")]).toEqual([true, false]);
});

test("a handler that a stop cuts short has not failed", async () => {
  const entered = gate();
  await arrive("e1", "a");
  const { stop } = start([
    on(Changed, async ({ ctx }) => {
      entered.open();
      await new Promise((_, reject) => {
        ctx.signal.addEventListener("abort", () => reject(new Error("cut")));
      });
    }),
  ]);
  await entered.opened;
  await stop();
  expect(await rowOf("e1")).toMatchObject({ attempts: 0, error: null, handled_at: null });
  expect(logged).toEqual([]);
});

test("a handler that exceeds its deadline has failed, and its signal is aborted", async () => {
  let aborted = false;
  await arrive("e1", "a");
  start(
    [
      on(Changed, async ({ ctx }) => {
        ctx.signal.addEventListener("abort", () => {
          aborted = true;
        });
        await new Promise(() => {});
      }),
    ],
    { retry: { deadlineMs: 50, attempts: 1 } },
  );
  const row = await waitFor(async () => {
    const found = await rowOf("e1");
    return found.parked_at ? found : undefined;
  });
  expect(row.error).toContain("the handler took too long");
  expect(aborted).toBe(true);
});

test("a row that another copy holds is left to it, and is no failure", async () => {
  await arrive("e1", "a");
  const held = await home.db.startTransaction().execute();
  await sql`select 1 from inbox for update`.execute(held);
  const { counts } = start([on(Changed, async () => undefined)]);
  await waitFor(() => counts.rings > 1);
  expect(await isHandled("e1")).toBe(false);
  await held.rollback().execute();
  await waitFor(() => isHandled("e1"));
  expect(await rowOf("e1")).toMatchObject({ attempts: 0, error: null });
  expect(logged).toEqual([]);
});

test("after a failure a row waits three times as long each time, at most the longest pause, and is parked then", async () => {
  await arrive("e1", "a");
  const { ring } = start(
    [
      on(Changed, async () => {
        throw new Error("indigestible");
      }),
    ],
    { retry: { attempts: 4, baseMs: 1_000_000, maxMs: 5_000_000 } },
  );
  const failed = async (attempts: number) => {
    const row = await waitFor(async () => {
      const found = await rowOf("e1");
      return found.attempts === attempts ? found : undefined;
    });
    const { rows } = await sql<{ pause: number }>`
      select extract(epoch from due_at - now())::float8 as pause from inbox`.execute(home.db);
    await sql`update inbox set due_at = now()`.execute(home.db);
    ring();
    return { parked: row.parked_at !== null, pause: Math.ceil(rows[0]!.pause / 1_000) };
  };
  expect(await failed(1)).toEqual({ parked: false, pause: 1 });
  expect(await failed(2)).toEqual({ parked: false, pause: 3 });
  expect(await failed(3)).toEqual({ parked: false, pause: 5 });
  expect(await failed(4)).toMatchObject({ parked: true });
  const again = "handling an event failed, it will be tried again";
  expect(logged.map(({ level, msg, attempts }) => [level, msg, attempts])).toEqual([
    [40, again, 1],
    [40, again, 2],
    [40, again, 3],
    [50, "an event is parked", 4],
  ]);
});

test("a row whose pause is over is tried again though nothing else happens", async () => {
  let failures = 2;
  await arrive("e1", "a");
  start(
    [
      on(Changed, async () => {
        if (failures-- > 0) throw new Error("not yet");
      }),
    ],
    { retry: { baseMs: 20 } },
  );
  await waitFor(() => isHandled("e1"));
  expect(await rowOf("e1")).toMatchObject({ attempts: 2, error: null });
});

test.each([
  ["an error with its stack", () => new Error("a\0b"), /^Error: ab\n {4}at /],
  ["an error without a stack", () => Object.assign(new Error("bare"), { stack: undefined }), /^bare$/],
  ["no error at all", () => "a text", /^a text$/],
  ["a long one", () => "x".repeat(5_000), /^x{4000}$/],
])("what a handler throws is kept with its row: %s", async (_, thrown, kept) => {
  await arrive("e1", "a");
  start(
    [
      on(Changed, async () => {
        throw thrown();
      }),
    ],
    { retry: { attempts: 1 } },
  );
  await waitFor(async () => (await rowOf("e1")).parked_at);
  expect((await rowOf("e1")).error).toMatch(kept);
});

test("a payload that breaks its contract is parked at the first try", async () => {
  await arrive("e1", "a", 0, { body: { payload: { n: "none" } } });
  start([on(Changed, async () => undefined)]);
  await waitFor(async () => (await rowOf("e1")).parked_at);
  expect(await rowOf("e1")).toMatchObject({ attempts: 1 });
});

test("a failure of a row that waits no more by then is no outcome to be written", async () => {
  let failures = 1;
  // As if another copy had handled the row, or an operator parked it, after the handler failed and before that is noted.
  await sql`create function skip() returns trigger language plpgsql as $$ begin return null; end $$`.execute(
    home.db,
  );
  await sql`create trigger skip before update of attempts on inbox for each row execute function skip()`.execute(
    home.db,
  );
  await arrive("e1", "a");
  start([
    on(Changed, async () => {
      if (failures-- > 0) throw new Error("not yet");
    }),
  ]);
  await waitFor(() => isHandled("e1"));
  expect(await rowOf("e1")).toMatchObject({ attempts: 0, error: null });
  expect(logged).toEqual([]);
});

test("a look-up that found nothing is followed by a pause, one that found something by the next look-up", async () => {
  let pauses = 0;
  const pace = async () => {
    pauses += 1;
  };
  const { ring, counts } = start([on(Changed, async () => undefined)], { pace });
  await waitFor(() => counts.waits === 1);
  ring();
  await waitFor(() => counts.waits === 2);
  expect(pauses).toBe(1);
  await arrive("e1", "a");
  ring();
  // The one that finds the row, and after its end the one that finds no other.
  await waitFor(() => counts.waits === 4);
  expect([await isHandled("e1"), pauses]).toEqual([true, 2]);
});

test("an outcome that cannot be written is logged, and the row is handled when it can be", async () => {
  let broken = true;
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise 'no room'; end $$`.execute(home.db);
  await sql`create trigger refuse before update of attempts on inbox execute function refuse()`.execute(
    home.db,
  );
  await arrive("e1", "a");
  start([
    on(Changed, async () => {
      if (broken) throw new Error("not yet");
    }),
  ]);
  await waitFor(() => logged.length > 0);
  broken = false;
  await sql`drop trigger refuse on inbox`.execute(home.db);
  await waitFor(() => isHandled("e1"));
  expect(messages()).toEqual(["the outcome of an event could not be written"]);
});

test("a failed lookup is logged once a minute, and not for each notification", async () => {
  const { ring, counts } = start([]);
  const look = async () => {
    const { waits } = counts;
    ring();
    await waitFor(() => counts.waits > waits);
  };
  await waitFor(() => counts.waits > 0);
  await sql`alter table inbox rename column due_at to due`.execute(home.db);
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  for (const [afterMs, expected] of [
    [0, 1],
    [60_000, 1],
    [1, 2],
    [1, 2],
  ] as const) {
    vi.setSystemTime(Date.now() + afterMs);
    await look();
    expect(messages()).toEqual(
      Array.from({ length: expected }, () => "events that came in cannot be looked up, none is handled"),
    );
  }
  await sql`alter table inbox rename column due to due_at`.execute(home.db);
});

test("an event of a state has no effect after a later one, and its time counts where it has no order", async () => {
  const handled: number[] = [];
  const at = (ms: number) => ({ occurredAt: new Date(Date.UTC(2026, 10, 1) + ms).toISOString() });
  const order = (ms: number) => ({ order: (Date.UTC(2026, 10, 1) + ms) * 1_000 });
  await arrive("e1", "a", 1, { body: order(10) });
  await arrive("e2", "a", 2, { body: at(9) });
  await arrive("e3", "a", 3, { body: at(11) });
  await arrive("e4", "a", 4, { body: order(10) });
  await arrive("e5", "a", 5, { body: { ...at(0), ...order(11) } });
  await arrive("e6", "b", 6, { body: order(1) });
  start([on(Changed, async ({ payload }) => void handled.push(payload.n), { state: "s" })], {
    concurrency: 1,
  });
  await waitFor(() => isHandled("e6"));
  expect(handled).toEqual([1, 3, 5, 6]);
});

test("events of no state, or of another one, are handled whatever came before", async () => {
  const handled: string[] = [];
  const record = (what: string) => async () => void handled.push(what);
  await arrive("e1", "a", 1, { body: { order: 2 } });
  await arrive("e2", "a", 2, { name: Other.name, body: { order: 1 } });
  start([
    on(Changed, record("one"), { state: "s" }),
    on(Other, record("another"), { state: "t" }),
    on(Other, record("none")),
    on(Other, record("earlier"), { state: "s" }),
  ]);
  await waitFor(() => isHandled("e2"));
  expect(handled).toEqual(["one", "another", "none"]);
});

test("the number of aggregates handled at a time is bounded, however often the consumer is notified", async () => {
  const ids = Array.from({ length: 9 }, (_, at) => `e${at}`);
  for (const id of ids) await arrive(id, id);
  const held = gate();
  const begun: string[] = [];
  const { ring, counts } = start(
    [
      on(Changed, async ({ event }) => {
        begun.push(event.id);
        await held.opened;
      }),
    ],
    { concurrency: 3 },
  );
  try {
    await waitFor(() => begun.length === 3);
    for (let turn = 0; turn < 3; turn += 1) {
      const { waits } = counts;
      ring();
      await waitFor(() => counts.waits > waits);
    }
    expect(begun.toSorted()).toEqual(ids.slice(0, 3));
  } finally {
    held.open();
  }
  await waitFor(async () => (await Promise.all(ids.map(isHandled))).every(Boolean));
});
