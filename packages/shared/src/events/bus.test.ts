import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNats } from "@octavo/launcher/nats";
import { freePort } from "@octavo/launcher/ports";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { waitFor } from "../testing/schema.js";
import { type Bus, connectBus, connectionOptions, stopBoth } from "./bus.js";

afterEach(() => vi.useRealTimers());

test("addresses are read with and without a scheme, and one of TLS makes the connection encrypted", () => {
  const kept = {
    name: "n",
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 10_000,
    timeout: 5_000,
    noAsyncTraces: true,
  };
  expect(connectionOptions("nats://one:4222,two:4223", "n")).toEqual({
    ...kept,
    servers: ["one:4222", "two:4223"],
  });
  expect(connectionOptions("one:4222,tls://two:4223", "n")).toEqual({
    ...kept,
    servers: ["one:4222", "two:4223"],
    tls: {},
  });
});

test("a user and a password are taken from the first address, and replies come to the user's own inbox", () => {
  expect(connectionOptions("nats://content:p%40ss@one:1,nats://other:x@two:2", "n")).toMatchObject({
    user: "content",
    pass: "p@ss",
    inboxPrefix: "_INBOX_content",
    servers: ["one:1", "two:2"],
  });
  const token = connectionOptions("nats://s%40cret@one:1", "n");
  expect(token).toMatchObject({ token: "s@cret" });
  expect(Object.keys(token)).not.toEqual(expect.arrayContaining(["user"]));
  expect(Object.keys(token)).not.toEqual(expect.arrayContaining(["inboxPrefix"]));
  const open = Object.keys(connectionOptions("nats://one:1", "n"));
  for (const key of ["user", "pass", "token", "inboxPrefix", "tls"]) expect(open).not.toContain(key);
});

test("what waits for the broker is cut off after two seconds, and what ends by itself is not", async () => {
  vi.useFakeTimers();
  const order: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const bus = { connection: () => undefined, epoch: () => 0 };
  const close = async () => {
    order.push("closed");
    end();
  };
  const worker = { stop: () => ended.then(() => void order.push("stopped")) };
  const stopping = stopBoth(worker, { ...bus, close });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(order).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  expect(order).toEqual(["closed", "stopped"]);

  order.length = 0;
  // Other code in this process may have timers of its own; none can start before this ends, which takes no turn.
  const others = vi.getTimerCount();
  await stopBoth({ stop: async () => void order.push("stopped") }, { ...bus, close });
  expect(order).toEqual(["stopped", "closed"]);
  expect(vi.getTimerCount()).toBe(others);
});

test("an outage is logged once, and its end; each connection counts, and a closed one is gone", async () => {
  const directory = mkdtempSync(join(tmpdir(), "octavo-bus-"));
  const port = await freePort();
  const start = () =>
    startNats({ dataDir: join(directory, "data"), port, logFile: join(directory, "nats.log") });
  const logged: { level: number; msg: string; bus: string }[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const changes: boolean[] = [];
  const bus: Bus = connectBus({
    natsUrl: `nats://127.0.0.1:${port}`,
    name: "test",
    log,
    onChange: () => changes.push(bus.connection() !== undefined),
  });
  const away = { level: 40, msg: "NATS is away, events wait", bus: "test" };
  const back = { level: 30, msg: "NATS is back", bus: "test" };
  let server: Awaited<ReturnType<typeof start>> | undefined;
  try {
    await waitFor(() => changes.length >= 2);
    expect([bus.epoch(), bus.connection()]).toEqual([0, undefined]);
    expect(logged).toMatchObject([away]);
    server = await start();
    await waitFor(() => bus.connection());
    expect([bus.epoch(), changes.at(-1)]).toEqual([1, true]);
    await server.stop();
    await waitFor(() => !bus.connection());
    server = await start();
    await waitFor(() => bus.connection());
    expect([bus.epoch(), changes.at(-1)]).toEqual([2, true]);
    expect(logged).toMatchObject([away, back, away, back]);

    const connection = bus.connection()!;
    const before = changes.length;
    await bus.close();
    expect([bus.connection(), connection.isClosed()]).toEqual([undefined, true]);
    expect(changes.length).toBe(before);
    expect(logged.length).toBe(4);
  } finally {
    await bus.close();
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
