import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import type { HandlerBase } from "./handling.js";
import { createListener, onMany } from "./listen.js";
import { parkedEvents } from "./parked.js";

type Context = HandlerBase<SharedTables>;
const Noted = defineEvent("content.thing.noted", z.object({ n: z.number() }));
const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const on = createListener<Context>();

let home: Awaited<ReturnType<typeof testEvents>>;
beforeEach(async () => {
  home = await testEvents();
  await sql`create table note (n int primary key)`.execute(home.db);
});
afterEach(() => home.end());

/** Notes numbers; one below zero is refused. */
const note = onMany<Context, typeof Noted.payload>(
  Noted,
  async ({ ctx, events }) => {
    if (events.some(({ payload }) => payload.n < 0)) throw new Error("below zero");
    const numbers = events.map(({ payload }) => payload.n);
    await sql`insert into note select unnest(${numbers}::int[]) on conflict do nothing`.execute(ctx.db);
  },
  { repeatable: true },
);

async function noted() {
  const { rows } = await sql<{ n: number }>`select n from note order by n`.execute(home.db);
  return rows.map(({ n }) => n);
}
async function inbox() {
  const { rows } = await sql<{ name: string }>`select name from inbox order by position`.execute(home.db);
  return rows.map(({ name }) => name);
}
const untilNoted = (count: number) => waitFor(async () => (await noted()).length === count);
const untilRead = (sequence: number) =>
  waitFor(async () => {
    const { rows } = await sql<{ sequence: number }>`
      select sequence from event_cursor where role like 'consumer %'`.execute(home.db);
    return rows[0]?.sequence === sequence;
  });

test("events that are repeatable are handled as they come in, and the inbox gets the others", async () => {
  home.relay();
  home.consumer([note, on(Counted, async () => {})]);
  for (const n of [1, 2]) await home.emit(Noted, "thing", { n });
  await home.emit(Counted, "thing", { n: 3 });
  await untilRead(3);
  expect(await noted()).toEqual([1, 2]);
  expect(await inbox()).toEqual([Counted.name]);
});

test("a repeatable event that cannot be handled comes into the inbox, where the others beside it succeed", async () => {
  home.consumer([note], { retry: { attempts: 1 } });
  for (const n of [1, -1, 2]) await home.emit(Noted, `thing ${n}`, { n });
  home.relay();
  await untilNoted(2);
  await waitFor(async () => (await parkedEvents(home)).length === 1);
  expect(await noted()).toEqual([1, 2]);
});

test("a repeatable event that is read again has no other effect", async () => {
  home.relay();
  const first = home.consumer([note]);
  await home.emit(Noted, "thing", { n: 1 });
  await untilRead(1);
  await first.stop();
  await sql`delete from event_cursor where role like 'consumer %'`.execute(home.db);
  home.consumer([note]);
  await untilRead(1);
  expect(await noted()).toEqual([1]);
});

test("an event that others listen to as well comes into the inbox", async () => {
  home.relay();
  home.consumer([note, on(Noted, async () => {})]);
  await home.emit(Noted, "thing", { n: 1 });
  await untilNoted(1);
  expect(await inbox()).toEqual([Noted.name]);
});
