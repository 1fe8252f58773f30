import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import { outboxChannel } from "./outbox.js";
import { backlog } from "./parked.js";
import { relayHere } from "./relay-here.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const HOUR_MS = 3_600_000;

let home: Awaited<ReturnType<typeof testEvents>>;
let listening: pg.Client;
/** What the server told those who listen for events of the schema. */
let told: number;
beforeEach(async () => {
  home = await testEvents();
  told = 0;
  listening = new pg.Client(home.url);
  listening.on("notification", () => {
    told += 1;
  });
  await listening.connect();
  await listening.query(`listen ${listening.escapeIdentifier(outboxChannel(home.schema))}`);
});
afterEach(async () => {
  await listening.end();
  await home.end();
});

const drained = () => waitFor(async () => (await backlog(home)).unpublished === 0);
const emitted = (n: number) => home.emit(Counted, "thing", { n });
const relayAtWork = () => waitFor(() => relayHere(home.schema) !== undefined);

test("a commit wakes the relay of its own process, and the server tells nobody", async () => {
  home.relay({ pollMs: HOUR_MS });
  await relayAtWork();
  for (const n of [1, 2, 3]) {
    await emitted(n);
    await drained();
  }
  await listening.query("select 1");
  expect(told).toBe(0);
  expect(await home.published()).toHaveLength(3);
});

test("without a relay in its process a commit has the server tell the one that is elsewhere", async () => {
  await emitted(1);
  await waitFor(() => told === 1);
  const relay = home.relay({ pollMs: HOUR_MS });
  await relayAtWork();
  await relay.stop();
  expect(relayHere(home.schema)).toBeUndefined();
  await emitted(2);
  await waitFor(() => told === 2);
});
