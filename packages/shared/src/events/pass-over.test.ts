import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";

type Context = HandlerBase<SharedTables>;
const Noted = defineEvent("content.thing.noted", z.object({ n: z.number() }));
const on = createListener<Context>();

let home: Awaited<ReturnType<typeof testEvents>>;
let handled: string[];
beforeEach(async () => {
  home = await testEvents();
  handled = [];
});
afterEach(() => home.end());

/** Handles numbers, and says that those above a limit concern nobody. */
const upTo = (limit: number, name: string) =>
  on(Noted, async ({ payload }) => handled.push(`${name} ${payload.n}`), {
    concerns: async (_, payloads) => payloads.map(({ n }) => n <= limit),
  });

async function inbox() {
  const { rows } = await sql<{ body: { payload: { n: number } } }>`
    select body from inbox order by position`.execute(home.db);
  return rows.map(({ body }) => body.payload.n);
}

/** Emits one to three, and waits until all of them were read and what came into the inbox was handled. */
async function emitThree() {
  for (const n of [1, 2, 3]) await home.emit(Noted, "thing", { n });
  await waitFor(async () => {
    const { rows } = await sql`
      select from event_cursor where role like 'consumer %' and sequence = 3
        and not exists (select from inbox where handled_at is null)`.execute(home.db);
    return rows.length > 0;
  });
}

test("an event that concerns none of its listeners is passed over; one that concerns any is handled by all", async () => {
  home.relay();
  home.consumer([upTo(1, "one"), upTo(2, "two")]);
  await emitThree();
  expect(await inbox()).toEqual([1, 2]);
  expect(handled).toEqual(["one 1", "two 1", "one 2", "two 2"]);
});

test("beside a listener that does not say what concerns it, every event is handled", async () => {
  home.relay();
  home.consumer([upTo(0, "none"), on(Noted, async ({ payload }) => handled.push(`all ${payload.n}`))]);
  await emitThree();
  expect(handled.filter((one) => one.startsWith("all"))).toEqual(["all 1", "all 2", "all 3"]);
});

test("where it cannot be said what an event concerns, it is handled, and the log has the reason", async () => {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  home.relay();
  const failing = on(Noted, async ({ payload }) => handled.push(`failing ${payload.n}`), {
    concerns: async ({ db }) => {
      await sql`select from nothing`.execute(db);
      return [];
    },
  });
  home.consumer([failing], { log });
  await emitThree();
  expect(handled).toEqual(["failing 1", "failing 2", "failing 3"]);
  expect(warnings.join()).toContain('relation \\"nothing\\" does not exist');
});
