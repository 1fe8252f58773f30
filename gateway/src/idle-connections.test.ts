import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { Hosts } from "./hosts.js";
import { listen, startGateway } from "./testing.js";

test("an unused connection to the reader is closed by the gateway, and the next request gets another one", async () => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (_, res) => res.end("page"));
  const closed: Promise<unknown>[] = [];
  server.on("connection", (socket) => closed.push(once(socket, "close")));
  const reader = await listen(server);
  const hosts: Hosts = { known: () => "sites", find: async () => "sites", drop() {}, dropAll() {} };
  const gateway = await startGateway({
    upstream: (_, res) => res.end(),
    sites: { reader: reader.url, hosts, idleMs: 50 },
    timeoutMs: 60_000,
  });
  const read = async () => (await fetch(`${gateway.url}/sites/docs/`)).text();
  expect(await read()).toBe("page");
  await closed[0];
  expect(await read()).toBe("page");
  expect(closed.length).toBe(2);
  await gateway.stop();
  await reader.stop();
});
