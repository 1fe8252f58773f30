import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import { transact } from "../database/transact.js";
import { testEvents } from "../testing/events.js";
import { type EmitContext, emit, lockGates } from "./outbox.js";

const Changed = defineEvent(
  "content.thing.changed",
  z.object({ text: z.string(), more: z.boolean().default(true) }),
);

let home: Awaited<ReturnType<typeof testEvents>>;
beforeAll(async () => {
  home = await testEvents();
});
beforeEach(() => sql`truncate outbox`.execute(home.db));
afterAll(() => home.end());

const rows = () => home.db.selectFrom("outbox").selectAll().orderBy("position").execute();
/** How many gates a transaction holds. */
const gates = async ({ db }: EmitContext) => {
  const held = await sql<{ n: number }>`select count(*) as n from pg_locks
    where locktype = 'advisory' and pid = pg_backend_pid()`.execute(db);
  return Number(held.rows[0]!.n);
};

test("an event is kept as its contract has it, with the request that it came of and its order", async () => {
  const ctx = { db: home.db, requestId: "r1", traceparent: "t1" };
  const id = await transact(ctx, (ctx) => emit(ctx, Changed, "a", { text: "x" }));
  const [row] = await rows();
  expect(row).toMatchObject({ id, name: Changed.name, aggregate: "a", published_at: null });
  expect(row!.body).toEqual({
    id,
    name: Changed.name,
    version: 1,
    aggregate: "a",
    requestId: "r1",
    traceparent: "t1",
    payload: { text: "x", more: true },
    occurredAt: expect.any(String),
    order: expect.any(Number),
  });
});

test("an event may take 900,000 bytes and no more, however few its characters are", async () => {
  const size = async (text: string) => {
    await transact({ db: home.db }, (ctx) => emit(ctx, Changed, "a", { text }));
    const { order: _, ...body } = (await rows()).at(-1)!.body as Record<string, unknown>;
    return Buffer.byteLength(JSON.stringify(body));
  };
  const around = await size("");
  const most = 900_000 - around;
  expect(await size("x".repeat(most))).toBe(900_000);
  for (const text of ["x".repeat(most + 1), "ä".repeat(most / 2 + 1)])
    await expect(size(text)).rejects.toThrow("content.thing.changed is too large to be an event");
  expect((await rows()).length).toBe(2);
});

test("who emits about an aggregate holds its gate until the end, and who holds the gates of several holds each once", async () => {
  await transact({ db: home.db }, async (ctx) => {
    await emit(ctx, Changed, "a", { text: "x" });
    expect(await gates(ctx)).toBe(1);
    await lockGates(ctx, ["a"]);
    expect(await gates(ctx)).toBe(1);
    await lockGates(ctx, ["a", "b", "b"]);
    expect(await gates(ctx)).toBe(2);
  });
  await transact({ db: home.db }, async (ctx) => expect(await gates(ctx)).toBe(0));
});

test("events are emitted and gates held in a transaction alone", async () => {
  await expect(emit({ db: home.db }, Changed, "a", { text: "x" })).rejects.toThrow("outside a transaction");
  await expect(lockGates({ db: home.db }, ["a"])).rejects.toThrow("gates are held in a transaction");
});
