import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNats } from "@octavo/launcher/nats";
import { freePort } from "@octavo/launcher/ports";
import { sql } from "kysely";
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
const on = createListener<HandlerBase<SharedTables>>();

/** A NATS server of its own, that a test may stop, start and rob of its data. */
async function ownNats() {
  const directory = mkdtempSync(join(tmpdir(), "octavo-outage-"));
  const port = await freePort();
  const dataDir = join(directory, "data");
  const start = () => startNats({ dataDir, port, logFile: join(directory, "nats.log") });
  let server = await start();
  return {
    url: server.url,
    stop: () => server.stop(),
    start: async () => {
      server = await start();
    },
    /** Keeps a copy of the data as it is. */
    save: () => cpSync(join(dataDir, "jetstream"), join(directory, "copy"), { recursive: true }),
    /** Brings the copy back. */
    restore: () => {
      rmSync(join(dataDir, "jetstream"), { recursive: true });
      cpSync(join(directory, "copy"), join(dataDir, "jetstream"), { recursive: true });
    },
    wipe: () => rmSync(join(dataDir, "jetstream"), { recursive: true, force: true }),
    kill: async () => {
      process.kill(server.pid, "SIGKILL");
      await server.ended;
    },
    end: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

let nats: Awaited<ReturnType<typeof ownNats>>;
let home: Awaited<ReturnType<typeof testEvents>>;
let handled: number[];
beforeEach(async () => {
  nats = await ownNats();
  home = await testEvents({ natsUrl: nats.url });
  handled = [];
});
afterEach(async () => {
  await home.end();
  await nats.end();
});

const count = (n: number) => home.emit(Counted, "a", { n });
const consume = () => home.consumer([on(Counted, async ({ payload }) => void handled.push(payload.n))]);
const expectHandled = async (numbers: number[]) => {
  await waitFor(() => handled.length >= numbers.length);
  expect(handled).toEqual(numbers);
};

test("with NATS stopped events can be emitted, and they arrive when it is back", async () => {
  home.relay();
  consume();
  await count(0);
  await expectHandled([0]);
  await nats.stop();
  for (const n of [1, 2, 3]) await count(n);
  expect((await backlog(home)).unpublished).toBe(3);
  await nats.start();
  await expectHandled([0, 1, 2, 3]);
  expect((await backlog(home)).unpublished).toBe(0);
});

test("services that start while NATS is away work when it comes", async () => {
  await nats.stop();
  home.relay();
  consume();
  await count(0);
  await nats.start();
  await expectHandled([0]);
});

test("a relay and a consumer stop at once while NATS is away", async () => {
  const parts = [home.relay(), consume()];
  await count(0);
  await expectHandled([0]);
  await nats.stop();
  await count(1);
  await waitFor(async () => (await backlog(home)).unpublished === 1);
  await Promise.all(parts.map((part) => part.stop()));
  await nats.start();
});

test("a NATS server that is killed and comes back loses nothing", async () => {
  home.relay();
  consume();
  await count(0);
  await expectHandled([0]);
  const emitting = (async () => {
    for (let n = 1; n <= 60; n++) await count(n);
  })();
  await nats.kill();
  await nats.start();
  await emitting;
  await expectHandled(Array.from({ length: 61 }, (_, n) => n));
});

test("with NATS's data wiped nothing is lost: what a stopped service missed is published again", async () => {
  home.relay();
  const consumer = consume();
  for (const n of [0, 1]) await count(n);
  await expectHandled([0, 1]);
  await consumer.stop();
  for (const n of [2, 3]) await count(n);
  await waitFor(async () => (await backlog(home)).unpublished === 0);
  await nats.stop();
  nats.wipe();
  await nats.start();
  await count(4);
  consume();
  await expectHandled([0, 1, 2, 3, 4]);
  expect((await home.published()).map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })));
});

test("with NATS's data wiped under running services each event is handled once", async () => {
  home.relay();
  consume();
  for (const n of [0, 1, 2]) await count(n);
  await expectHandled([0, 1, 2]);
  await nats.kill();
  nats.wipe();
  await count(3);
  await nats.start();
  await expectHandled([0, 1, 2, 3]);
  await count(4);
  await expectHandled([0, 1, 2, 3, 4]);
  const rows = await sql<{ tries: number }>`select sum(attempts) as tries from inbox`.execute(home.db);
  expect(Number(rows.rows[0]?.tries)).toBe(0);
});

test("a stream deleted while the services run is made again and filled again", async () => {
  home.relay();
  consume();
  for (const n of [0, 1]) await count(n);
  await expectHandled([0, 1]);
  await home.deleteStream();
  await count(2);
  await expectHandled([0, 1, 2]);
  await waitFor(async () => (await home.published()).length === 3);
});

const published = async (service: string) =>
  (await home.published())
    .filter(({ name }) => name.startsWith(service))
    .map(({ payload }) => (payload as { n: number }).n);
const drained = (each: typeof home) => waitFor(async () => (await backlog(each)).unpublished === 0);
async function setBack(change: () => void) {
  await nats.stop();
  change();
  await nats.start();
}

test("an older copy of NATS's data comes back: each service sends again what it lacks, also when another was first", async () => {
  const Changed = defineEvent("sites.thing.changed", z.object({ n: z.number() }));
  const sites = await testEvents({ natsUrl: nats.url, service: "sites", beside: home });
  const emitOfSites = (n: number) => sites.emit(Changed, "b", { n });
  const relay = home.relay();
  sites.relay();
  await Promise.all([count(0), emitOfSites(0)]);
  await Promise.all([drained(home), drained(sites)]);
  await setBack(nats.save);
  for (const n of [1, 2]) await count(n);
  await drained(home);
  await emitOfSites(1);
  await drained(sites);
  await relay.stop();
  await setBack(nats.restore);
  // Sites fills the stream beyond what content has ever seen of it.
  for (const n of [2, 3, 4, 5]) await emitOfSites(n);
  await waitFor(async () => (await published("sites")).length === 6);
  home.relay();
  await waitFor(async () => (await published("content")).length === 3);
  expect(await published("content")).toEqual([0, 1, 2]);
  expect(await published("sites")).toEqual([0, 1, 2, 3, 4, 5]);
  await sites.end();
});

test("a service that was away while the stream was set back and filled again misses nothing", async () => {
  home.relay();
  const consumer = consume();
  await count(0);
  await expectHandled([0]);
  await setBack(nats.save);
  for (const n of [1, 2, 3]) await count(n);
  await expectHandled([0, 1, 2, 3]);
  await consumer.stop();
  await setBack(nats.restore);
  // What was handled is not there to be sent again, so that others come to stand in its place.
  await sql`delete from outbox where (body->'payload'->>'n')::int between 1 and 3`.execute(home.db);
  for (const n of [4, 5, 6, 7]) await count(n);
  await drained(home);
  consume();
  await expectHandled([0, 1, 2, 3, 4, 5, 6, 7]);
});
