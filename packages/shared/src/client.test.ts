import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { serviceClient } from "./client.js";
import { errorBody } from "./errors.js";
import { createHttpServer } from "./http.js";
import { createLog } from "./log.js";
import type { DemoRouter } from "./testing/demo.js";
import { startDemo } from "./testing/demo-server.js";
import { listen } from "./testing/http.js";
import { createApi } from "./trpc.js";

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const clientOf = (url: string, options: { timeoutMs?: number; requestId?: () => string } = {}) =>
  serviceClient<DemoRouter>({ url, identity: () => demo.identity, ...options });
const bodyOf = async (call: Promise<unknown>) =>
  errorBody(await call.then(() => undefined).catch((error: unknown) => error), "request1").body.error;
const away = { code: 503, message: "A service is not reachable", reason: "service_unavailable" };

test("calls of one tick travel as one request, with the identity and the id of the request", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    seen.push(
      `${req.method} ${req.url} ${req.headers["x-request-id"]} ${req.headers["x-octavo-identity"] === demo.identity}`,
    );
    res.end(JSON.stringify([{ result: { data: {} } }, { result: { data: {} } }]));
  });
  const { url, close } = await listen(server);
  const client = clientOf(`${url}/`, { requestId: () => "request-1234" });
  await Promise.all([client.whoami.query({}), client.fields.query({})]);
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatch(/^POST \/trpc\/whoami,fields\?batch=1 request-1234 true$/);
  await close();
});

test("inputs may be longer than an address, as a look-up of 1000 ids is", async () => {
  const title = "x".repeat(10);
  const bag = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, title]));
  const responses = Promise.all([1, 2].map(() => clientOf(demo.url).fields.query({ title, bag })));
  expect((await responses)[1]).toMatchObject({ title, bag });
});

test("a refusal keeps its code, message, reason and issues", async () => {
  const fault = await bodyOf(clientOf(demo.url).faults.refused.mutate({}));
  expect(fault).toMatchObject({ code: 400, message: "Archive: no pages in it", reason: "empty_archive" });
  const input = await bodyOf(clientOf(demo.url).things.list.query({ limit: 5000 }));
  expect(input).toMatchObject({ code: 400, issues: [{ path: "limit" }] });
});

test("a refusal comes through a second service as it is, and an unexpected error stays unexpected", async () => {
  const { router, internal } = createApi<never>();
  const middle = router({
    refused: internal({})
      .input(z.object({}))
      .query(() => clientOf(demo.url).faults.refused.mutate({})),
    thrown: internal({})
      .input(z.object({}))
      .query(() => clientOf(demo.url).faults.thrown.query({})),
  });
  const server = createHttpServer({
    name: "sites",
    version: "1.0.0",
    router: middle,
    verifier: demo.gateway.verifier,
    base: {},
    unready: async () => [],
    log: createLog({ service: "sites", level: "silent" }),
  });
  const { url, close } = await listen(server);
  const client = serviceClient<typeof middle>({ url, identity: () => demo.identity });
  expect(await bodyOf(client.refused.query({}))).toMatchObject({
    code: 400,
    message: "Archive: no pages in it",
    reason: "empty_archive",
  });
  expect(await bodyOf(client.thrown.query({}))).toMatchObject({ code: 500, message: "Unexpected error" });
  await close();
});

test("a service that is away, hangs, or returns something else is 503", async () => {
  expect(await bodyOf(clientOf("http://127.0.0.1:1").whoami.query({}))).toMatchObject(away);
  const hung = await listen(createServer(() => undefined));
  expect(await bodyOf(clientOf(hung.url, { timeoutMs: 200 }).whoami.query({}))).toMatchObject(away);
  const odd = await listen(createServer((_req, res) => res.writeHead(502).end("<html>Bad gateway</html>")));
  expect(await bodyOf(clientOf(odd.url).whoami.query({}))).toMatchObject(away);
  const broken = createServer((_req, res) => {
    res.writeHead(200, { "content-length": 100 }).write("[");
    setTimeout(() => res.destroy(), 20);
  });
  const early = await listen(broken);
  expect(await bodyOf(clientOf(early.url).whoami.query({}))).toMatchObject(away);
  await Promise.all([hung.close(), odd.close(), early.close()]);
});

test("calls share connections, and one that is given up ends without a response", async () => {
  const ports = new Set<number | undefined>();
  let ended = 0;
  const server = createServer((req, res) => {
    ports.add(req.socket.remotePort);
    res.once("close", () => {
      ended += res.writableFinished ? 0 : 1;
    });
    if (!req.url!.includes("fields")) res.end(JSON.stringify([{ result: { data: {} } }]));
  });
  const { url, close } = await listen(server);
  const client = clientOf(url);
  for (let call = 0; call < 3; call += 1) await client.whoami.query({});
  expect(ports.size).toBe(1);
  const giving = new AbortController();
  const hung = client.fields.query({}, { signal: giving.signal });
  setTimeout(() => giving.abort(), 50);
  await expect(hung).rejects.toThrow();
  await expect.poll(() => ended).toBe(1);
  await expect(client.whoami.query({}, { signal: giving.signal })).rejects.toThrow();
  await close();
});
