import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { serviceClient } from "./client.js";
import type { Caller } from "./contracts/callers.js";
import { connect } from "./database/connect.js";
import { unready } from "./service.js";
import type { DemoRouter } from "./testing/demo.js";
import { ada, startDemo } from "./testing/demo-server.js";
import { testKeys } from "./testing/http.js";
import { waitFor } from "./testing/schema.js";

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const withIdentity = (token: string) => ({ headers: { "x-octavo-identity": token } });
const gateway: Caller = { kind: "service", service: "gateway" };

test("a request without an identity is 401 over REST and tRPC", async () => {
  for (const path of ["/v1/things", "/trpc/whoami?input={}"]) {
    const response = await fetch(demo.url + path);
    expect(response.status).toBe(401);
    expect(JSON.stringify(await response.json())).toContain("Identity: missing");
  }
});

test("a forged or garbled identity is 401 over REST and tRPC", async () => {
  const forged = await testKeys("gateway").sign(ada);
  const altered = `${demo.identity.slice(0, -4)}AAAA`;
  for (const token of [forged, altered, "x.y.z", " ", `${demo.identity}, ${demo.identity}`]) {
    const rest = await demo.send("GET", "/v1/things", withIdentity(token));
    expect([rest.status, rest.body.error.reason]).toEqual([401, "identity_refused"]);
    const trpc = await demo.send("GET", "/trpc/whoami?input={}", withIdentity(token));
    expect([trpc.status, trpc.body.error.data.code]).toEqual([401, "UNAUTHORIZED"]);
  }
});

test("an identity that has expired since it was first seen is 401", async () => {
  const token = await demo.gateway.signer.sign(ada, undefined, 60);
  expect((await demo.send("GET", "/v1/things", withIdentity(token))).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 90_000 });
  expect((await demo.send("GET", "/v1/things", withIdentity(token))).status).toBe(401);
  vi.useRealTimers();
});

test("401 comes before the input is looked at", async () => {
  const response = await demo.send("POST", "/v1/things", { body: "{broken", ...withIdentity("none") });
  expect(response.status).toBe(401);
});

test("a token restricted to reading may GET and not POST, over REST", async () => {
  const token = await demo.gateway.sign({ ...ada, scopes: ["content:read"] } as Caller);
  expect((await demo.send("GET", "/v1/things", withIdentity(token))).status).toBe(200);
  const response = await demo.send("POST", "/v1/things", withIdentity(token));
  expect(response.body.error).toMatchObject({ code: 403, reason: "insufficient_scope" });
  const other = await demo.gateway.sign({ ...ada, scopes: ["sites:write"] } as Caller);
  expect((await demo.send("GET", "/v1/things", withIdentity(other))).status).toBe(403);
});

test("an integration does only what names one of its scopes, whatever they are called, and no procedure", async () => {
  const script = { kind: "integration", integration: "witness", organization: "acme", token: "t1" } as const;
  for (const scopes of [[], ["content:read", "content:write", "space:content:read", "undefined"]]) {
    const token = await demo.gateway.sign({ ...script, installation: "i1", scopes });
    for (const [method, path] of [
      ["GET", "/v1/things"],
      ["POST", "/v1/things"],
    ] as const) {
      const response = await demo.send(method, path, withIdentity(token));
      expect(response.body.error).toMatchObject({ code: 403, reason: "insufficient_scope" });
    }
    const procedure = await demo.send("GET", "/trpc/whoami?input={}", withIdentity(token));
    expect(procedure.body.error.data.code).toBe("FORBIDDEN");
  }
});

test("a visitor of a site does only what is declared for readers, over REST and tRPC, whatever the verb", async () => {
  const site = { organization: "acme", site: "site1", epoch: 0, space: "space1", revision: "r1" };
  const token = await demo.gateway.sign({ kind: "reader", ...site, token: "t1" });
  const send = (method: string, path: string) => demo.send(method, path, withIdentity(token));
  expect((await send("GET", "/v1/things/a/versions/1")).status).toBe(200);
  const version = "things.version?input=%7B%22thingId%22%3A%22a%22%2C%22versionNumber%22%3A1%7D";
  expect((await send("GET", `/trpc/${version}`)).status).toBe(200);
  for (const [method, path] of [
    ["GET", "/v1/things"],
    ["GET", "/v1/things/a"],
    ["DELETE", "/v1/things/a"],
    ["POST", "/v1/things"],
  ] as const) {
    expect((await send(method, path)).body.error).toMatchObject({ code: 403, reason: "reader_token" });
  }
  for (const procedure of ["whoami", "things.get", "things.version,whoami"]) {
    const response = await send("GET", `/trpc/${procedure}?batch=1&input={}`);
    expect([procedure, response.status]).toEqual([procedure, 403]);
  }
});

test("internal and service procedures are not reachable over REST", async () => {
  for (const path of ["/v1/whoami", "/v1/sweep", "/v1/fields", "/v1/trpc/sweep", "/v1/trpc/whoami"]) {
    expect((await demo.send("GET", path)).status, path).toBe(404);
    expect((await demo.send("POST", path)).status, path).toBe(404);
  }
});

test("service procedures refuse users and serve the services named; internal ones serve both", async () => {
  const as = (identity: string) =>
    serviceClient<DemoRouter>({ url: demo.url, identity: () => identity, requestId: () => "request-1234" });
  const user = as(demo.identity);
  const service = as(await demo.gateway.sign(gateway));
  await expect(user.sweep.mutate({})).rejects.toMatchObject({ data: { code: "FORBIDDEN" } });
  expect(await service.sweep.mutate({})).toBe("swept");
  expect(await user.whoami.query({})).toEqual({ caller: ada });
  expect(await service.whoami.query({})).toEqual({ caller: gateway });
});

test("REST operations are tRPC procedures too", async () => {
  const client = serviceClient<DemoRouter>({ url: demo.url, identity: () => demo.identity });
  const [one, two] = await Promise.all([
    client.things.get.query({ thingId: "a" }),
    client.things.get.query({ thingId: "b" }),
  ]);
  expect([one.given, two.given]).toEqual([{ thingId: "a" }, { thingId: "b" }]);
});

test("the text of an unexpected error reaches nobody, over REST or tRPC, in any NODE_ENV", async () => {
  for (const mode of ["development", "production", "test"]) {
    vi.stubEnv("NODE_ENV", mode);
    const other = await startDemo();
    for (const path of ["/v1/faults/thrown", "/v1/faults/output", "/trpc/faults.thrown?input={}"]) {
      const response = await other.send("GET", path);
      expect([response.status, path]).toEqual([500, path]);
      expect(response.text).toContain("Unexpected error");
      expect(response.text).not.toMatch(/hunter2|select|stack|\.ts|at async/);
    }
    const batch = await other.send("GET", '/trpc/faults.thrown,whoami?batch=1&input={"0":{},"1":{}}');
    expect(batch.text).not.toMatch(/hunter2|stack/);
    await other.close();
  }
  vi.unstubAllEnvs();
});

test("the shape of an error is pinned, as JSON and as problem+json", async () => {
  const headers = { "x-request-id": "request-1234" };
  const json = await demo.send("GET", "/v1/things?limit=x", { headers });
  const message = "Invalid input: expected number, received string";
  const issues = [{ path: "query.limit", message }];
  expect(json.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(json.body).toEqual({
    error: {
      code: 400,
      message: `query.limit: ${message}`,
      reason: "invalid_input",
      requestId: "request-1234",
      issues,
    },
  });
  const accept = "application/problem+json, application/json;q=0.5";
  const problem = await demo.send("GET", "/v1/things?limit=x", { headers: { ...headers, accept } });
  expect(problem.headers["content-type"]).toBe("application/problem+json");
  expect(problem.body).toEqual({
    type: "urn:octavo:invalid_input",
    title: "invalid input",
    status: 400,
    detail: `query.limit: ${message}`,
    requestId: "request-1234",
    issues,
  });
  const none = await demo.send("GET", "/v1/none", { headers: { ...headers, accept } });
  expect(none.body).toEqual({
    type: "urn:octavo:not_found",
    title: "not found",
    status: 404,
    detail: "Path: not found",
    requestId: "request-1234",
  });
});

test("a refusal of a rule keeps its own message, whatever caused it", async () => {
  const { body } = await demo.send("POST", "/v1/faults/refused");
  expect(body.error).toMatchObject({ message: "Archive: no pages in it", reason: "empty_archive" });
  expect(body.error).not.toHaveProperty("issues");
});

test("every response carries x-request-id: the caller's when it is a sane one, else a new one", async () => {
  const idOf = async (path: string, given?: string) => {
    const headers: Record<string, string> = given ? { "x-request-id": given } : {};
    const response = await demo.send("GET", path, { headers });
    if (response.body?.error?.requestId)
      expect(response.body.error.requestId).toBe(response.headers["x-request-id"]);
    return response.headers["x-request-id"];
  };
  const paths = ["/v1/things", "/v1/none", "/v1/things?limit=x", "/livez", "/trpc/whoami?input={}", "/x"];
  for (const path of paths) {
    expect(await idOf(path, "abc-123.DEF_4"), path).toBe("abc-123.DEF_4");
    for (const odd of ["short", "<script>alert(1)", "x".repeat(101)]) {
      expect(await idOf(path, odd), path).toMatch(/^[0-9A-Za-z]{22}$/);
    }
    expect(await idOf(path), path).not.toBe(await idOf(path));
  }
});

test("a client that goes away aborts the signal of its request", async () => {
  const requestId = "request-to-abort";
  const headers = { "x-octavo-identity": demo.identity, "x-request-id": requestId };
  const req = request({ port: demo.port, path: "/v1/faults/wait", headers }).end();
  req.on("error", () => undefined);
  await once(req, "socket");
  await new Promise((sent) => setTimeout(sent, 100));
  expect(demo.aborted).not.toContain(requestId);
  req.destroy();
  await waitFor(() => demo.aborted.includes(requestId));
});

test("a client that leaves in the middle of its body harms nobody", async () => {
  const socket = connectTcp(demo.port, "127.0.0.1");
  const head = ["POST /v1/things HTTP/1.1", "host: x", `x-octavo-identity: ${demo.identity}`];
  socket.write(`${[...head, "content-length: 100"].join("\r\n")}\r\n\r\n{"title":`);
  await new Promise((sent) => setTimeout(sent, 50));
  socket.destroy();
  expect((await demo.send("GET", "/v1/things")).status).toBe(200);
});

test("/livez is 200 without an identity", async () => {
  const response = await fetch(`${demo.url}/livez`);
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
  expect((await demo.send("HEAD", "/livez")).text).toBe("");
});

test("/readyz is 200, and 503 with a name while the database is away", async () => {
  const home = connect({ url: process.env.DATABASE_URL!, schema: "public", max: 1 });
  const away = connect({ url: "postgres://nobody@127.0.0.1:1/none", schema: "public" });
  let connection = home;
  const server = await startDemo({ unready: () => unready(connection) });
  expect(await server.send("GET", "/readyz")).toMatchObject({ status: 200, body: { unready: [] } });
  connection = away;
  expect(await server.send("GET", "/readyz")).toMatchObject({
    status: 503,
    body: { status: "not ready", unready: ["database"] },
  });
  connection = home;
  expect((await server.send("GET", "/readyz")).status).toBe(200);
  expect((await server.send("GET", "/livez")).status).toBe(200);
  await Promise.all([server.close(), home.close(), away.close()]);
});

test("/readyz returns 503 before a connection of the pool becomes free", async () => {
  const busy = connect({ url: process.env.DATABASE_URL!, schema: "public", max: 1 });
  const server = await startDemo({ unready: () => unready(busy) });
  const held = sql`select pg_sleep(10)`.execute(busy.db);
  let free = false;
  const freed = held.then(() => (free = true));
  await new Promise((started) => setTimeout(started, 100));
  expect((await server.send("GET", "/readyz")).status).toBe(503);
  expect(free).toBe(false);
  await Promise.all([server.close(), freed.then(() => busy.close())]);
});

test("/openapi.json is the document that the build wrote, where there is one", async () => {
  const file = new URL("openapi.json", pathToFileURL(`${await mkdtemp(join(tmpdir(), "octavo-"))}/`));
  await writeFile(file, '{"openapi":"3.1.0"}');
  const server = await startDemo({ openApiFile: file });
  expect(await (await fetch(`${server.url}/openapi.json`)).json()).toEqual({ openapi: "3.1.0" });
  await server.close();
  await rm(new URL(".", file), { recursive: true });
});

test("/openapi.json is served without an identity", async () => {
  const response = await fetch(`${demo.url}/openapi.json`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ openapi: "3.1.0", info: { title: "Octavo content" } });
});
