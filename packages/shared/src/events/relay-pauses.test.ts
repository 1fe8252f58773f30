import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import { backlog } from "./parked.js";
import type { RelayOptions } from "./relay.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));
const HOUR_MS = 3_600_000;
/** Long enough for a loop without a pause to turn many times. */
const MOMENT_MS = 300;
/** Turns of a loop that others ring meanwhile, such as the connection. */
const FEW = 5;

let home: Awaited<ReturnType<typeof testEvents>>;
let logged: string[];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
beforeEach(async () => {
  home = await testEvents();
  logged = [];
});
afterEach(() => home.end());

const count = (n: number) => home.emit(Counted, "a", { n });
const drained = () => waitFor(async () => (await backlog(home)).unpublished === 0);

/** A relay that does nothing because time passed; counts its turns. */
function relay(options: Partial<RelayOptions> = {}) {
  const turns = { count: 0 };
  const pace = async () => {
    turns.count += 1;
  };
  const { stop } = home.relay({ log, pollMs: HOUR_MS, retryMs: HOUR_MS, pace, ...options });
  return { turns, stop };
}

test("with nothing to publish the relay waits, and is woken by an event", async () => {
  const { turns } = relay();
  for (const n of [0, 1]) {
    await count(n);
    await drained();
    const before = turns.count;
    await sleep(MOMENT_MS);
    expect(turns.count).toBeLessThan(before + FEW);
  }
});

test("without a connection to NATS the relay waits for one, and logs nothing besides the bus", async () => {
  const { turns } = relay({ natsUrl: "nats://127.0.0.1:1" });
  await count(0);
  await waitFor(() => turns.count > 0);
  await sleep(MOMENT_MS);
  expect(turns.count).toBeLessThan(FEW);
  expect(logged.filter((msg) => msg !== "NATS is away, events wait")).toEqual([]);
});

test("after events were refused none is tried before the pause is over, whatever comes, and a stop ends the pause", async () => {
  const { stop } = relay();
  await count(0);
  await drained();
  const connection = await connect({ servers: process.env.NATS_URL });
  const { streams } = await connection.jetstreamManager();
  const { config } = await streams.info(home.stream);
  await streams.update(home.stream, { ...config, max_msg_size: 10 });
  let tries = 0;
  connection.subscribe(`${home.prefix}.>`, {
    callback: () => {
      tries += 1;
    },
  });
  await connection.flush();
  await count(1);
  await waitFor(() => logged.length === 1);
  await count(2);
  await sleep(MOMENT_MS);
  await stop();
  await connection.close();
  expect([tries, logged]).toEqual([1, ["events cannot be published, they wait"]]);
});

test("a stream that cannot be inspected is logged once, and inspected again after a pause", async () => {
  const { turns } = relay({ stream: "no.name of a stream" });
  await count(0);
  await waitFor(() => logged.length === 1);
  await sleep(MOMENT_MS);
  expect(turns.count).toBeLessThan(FEW);
  expect(logged).toEqual(["events cannot be published, they wait"]);
});
