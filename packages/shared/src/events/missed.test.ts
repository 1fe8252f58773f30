import { sql } from "kysely";
import { connect } from "nats";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";
import { backlog } from "./parked.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const Unheard = defineEvent("content.thing.unheard", z.object({}));
const on = createListener<HandlerBase<SharedTables>>();

let content: Awaited<ReturnType<typeof testEvents>>;
let orgs: Awaited<ReturnType<typeof testEvents>>;
let handled: number[];
beforeEach(async () => {
  content = await testEvents();
  orgs = await testEvents({ service: "orgs", beside: content });
  handled = [];
});
afterEach(async () => {
  await orgs.end();
  await content.end();
});

async function purge() {
  const connection = await connect({ servers: process.env.NATS_URL });
  const { streams } = await connection.jetstreamManager({ timeout: 60_000 });
  await streams.purge(content.stream);
  await connection.close();
}

test("events that expired while a service was away are logged as errors, sent again and handled once", async () => {
  const errors: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line).msg) });
  const listen = on(Counted, async ({ payload }) => void handled.push(payload.n));
  const count = (n: number) => content.emit(Counted, "a", { n });
  const relay = content.relay();
  content.consumer([]);
  orgs.relay();
  const consumer = orgs.consumer([listen], { log });
  await count(0);
  await waitFor(() => handled.length === 1);
  await consumer.stop();
  await publishAndExpire([1, 2]);
  orgs.consumer([listen], { log });
  await waitFor(() => handled.length === 3);
  await count(3);
  await waitFor(() => handled.length === 4);
  expect(handled).toEqual([0, 1, 2, 3]);
  /** As after weeks: they were published, and the stream holds them no more. */
  async function publishAndExpire(numbers: number[]) {
    await relay.stop();
    for (const n of numbers) await count(n);
    await content.db.updateTable("outbox").set({ published_at: sql`now()`, signed: true }).execute();
    content.relay();
    await content.emit(Unheard, "b", {});
    await waitFor(async () => (await backlog(content)).unpublished === 0);
    await purge();
  }

  expect(errors).toContain("events may have expired before they were read; they are asked for again");
});

test("what expired of other services is nothing to a service that had read its own", async () => {
  const errors: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
  const listen = on(Counted, async ({ payload }) => void handled.push(payload.n));
  content.relay();
  const consumer = orgs.consumer([listen], { log });
  for (let n = 0; n < 3; n++) await content.emit(Counted, "a", { n });
  await waitFor(() => handled.length === 3);
  await consumer.stop();
  await purge();
  orgs.consumer([listen], { log });
  await content.emit(Counted, "a", { n: 3 });
  await waitFor(() => handled.length === 4);
  expect(errors).toEqual([]);
});
