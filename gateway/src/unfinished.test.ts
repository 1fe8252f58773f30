import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ada, authorized, route, send, startGateway, type TestGateway, TOKEN } from "./testing.js";

// What clients hold by not finishing: bodies that stop, responses that nobody reads, connections.

const OTHER = "other-token-0123456789";
const bystander = { authorization: `Bearer ${OTHER}` };
const JSON_TYPE = "Content-Type: application/json";
/** More than is collected before a service receives it. */
const LARGE = 300_000;

let gateway: TestGateway;
let arrived: string[] = [];
let open: { destroy(): unknown }[] = [];
afterEach(async () => {
  for (const each of open) each.destroy();
  await gateway.stop();
  arrived = [];
  open = [];
});

async function start(
  respond: (req: IncomingMessage, res: ServerResponse) => void,
  options: Partial<Parameters<typeof startGateway>[0]> = {},
) {
  gateway = await startGateway({
    upstream: (req, res) => {
      arrived.push(req.url!);
      respond(req, res);
    },
    resolve: async (token) =>
      token === TOKEN
        ? { caller: ada }
        : token === OTHER
          ? { caller: { ...ada, id: "user2", token: "token2" } }
          : null,
    ...options,
  });
}

/** Opens a connection and writes the beginning of a request. */
async function begin(line: string, headers: string[], body: string | Buffer = ""): Promise<Socket> {
  const socket = connect(gateway.port, "127.0.0.1");
  socket.on("error", () => undefined);
  open.push(socket);
  await once(socket, "connect");
  socket.write(`${[line, "Host: a", ...headers].join("\r\n")}\r\n\r\n`);
  socket.write(body);
  return socket;
}

async function beginMany(count: number, ...given: Parameters<typeof begin>): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => begin(...given)));
}

async function until(done: () => boolean | Promise<boolean>) {
  for (let tries = 0; tries < 5_000 && !(await done()); tries++) await sleep(10);
  expect(await done()).toBe(true);
}

/** Resolves when the connection is closed, whichever way. */
const closed = (socket: Socket) =>
  new Promise<void>((done) => (socket.closed ? done() : socket.once("close", () => done())));

/** The status of the response on a connection. */
async function statusOn(socket: Socket): Promise<number> {
  const [bytes] = (await once(socket, "data")) as [Buffer];
  return Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString("latin1"))?.[1]);
}

const read = async (headers: Record<string, string> = bystander) =>
  (await send(gateway, "GET", "/v1/spaces/s", { headers })).status;
const echo = (_: IncomingMessage, res: ServerResponse) => void res.end("{}");
const BEARER = `Authorization: ${authorized.authorization}`;

test.each([
  ["no token", "POST /v1/sign-in HTTP/1.1", []],
  ["a token", "POST /v1/spaces/s/content HTTP/1.1", [BEARER]],
])("unfinished bodies with %s keep no connection to the service", async (_, line, headers) => {
  await start(echo, { connections: 8 });
  await beginMany(300, line, [...headers, JSON_TYPE, "Content-Length: 1000"], "{");
  expect([await read(), await read(authorized)]).toEqual([200, 200]);
  expect(arrived).toEqual(["/v1/spaces/s", "/v1/spaces/s"]);
});

test("a body that does not arrive in time is 408, with less time for who shows no token", async () => {
  await start(echo, { bodyTimes: { open: 50, bearer: 60_000 } });
  const [late] = await beginMany(1, "POST /v1/sign-in HTTP/1.1", [JSON_TYPE, "Content-Length: 1000"], "{");
  const [patient] = await beginMany(
    1,
    "POST /v1/spaces/s/content HTTP/1.1",
    [BEARER, JSON_TYPE, "Content-Length: 2"],
    "{",
  );
  expect(await statusOn(late!)).toBe(408);
  await closed(late!);
  patient!.write("}");
  expect(await statusOn(patient!)).toBe(200);
  expect(arrived).toEqual(["/v1/spaces/s/content"]);
});

test("a small body of unknown length comes to the service with its length", async () => {
  await start((req, res) => {
    let body = "";
    req.on("data", (chunk) => {
      body += chunk;
    });
    req.on("end", () =>
      res.end(JSON.stringify([req.headers["content-length"], req.headers["transfer-encoding"], body])),
    );
  });
  const socket = await begin(
    "POST /v1/spaces/s/content HTTP/1.1",
    [BEARER, JSON_TYPE, "Transfer-Encoding: chunked"],
    '1\r\n{\r\n5\r\n"a":1\r\n',
  );
  socket.write("1\r\n}\r\n0\r\n\r\n");
  const [bytes] = (await once(socket, "data")) as [Buffer];
  expect(bytes.toString()).toContain('["7",null,"{\\"a\\":1}"]');
});

test("a party's unfinished bodies hold a share of the memory, whatever they are, and others have theirs", async () => {
  await start(echo, { memory: 2_000_000 });
  const body = Buffer.alloc(200_000, " ");
  const sent = await beginMany(
    20,
    "POST /v1/spaces/s/content HTTP/1.1",
    [BEARER, JSON_TYPE, "Content-Length: 200001"],
    body,
  );
  const refused = sent.map((socket) => statusOn(socket).catch(() => 0));
  expect(await Promise.any(refused.map(async (status) => (await status) || Promise.reject()))).toBe(429);
  const other = await send(gateway, "POST", "/v1/spaces/s/content", {
    headers: { ...bystander, "content-type": "application/json" },
    body: body.toString(),
  });
  expect(other.status).toBe(200);
  for (const socket of sent) socket.destroy();
  await until(
    async () =>
      (
        await send(gateway, "POST", "/v1/spaces/s/content", {
          headers: { ...authorized, "content-type": "application/json" },
          body: body.toString(),
        })
      ).status === 200,
  );
});

test("large bodies that stop are ended, and hold a share of the connections until then", async () => {
  await start((req, res) => req.resume().on("end", () => res.end("{}")), { connections: 8, paceMs: 60_000 });
  const begun = ["POST /v1/books HTTP/1.1", [BEARER, JSON_TYPE, "Content-Length: 900000"]] as const;
  const sent = await Promise.all(
    Array.from({ length: 20 }, () => begin(begun[0], [...begun[1]], Buffer.alloc(LARGE))),
  );
  await until(() => arrived.length === 3);
  expect(await read()).toBe(200);
  expect(arrived).toHaveLength(4);
  for (const socket of sent) socket.destroy();
  await until(async () => (await read(authorized)) === 200);
});

test("a large body that stops is 408 at the next look but one", async () => {
  await start((req) => req.resume(), { paceMs: 50 });
  const socket = await begin(
    "POST /v1/books HTTP/1.1",
    [BEARER, JSON_TYPE, "Content-Length: 900000"],
    Buffer.alloc(LARGE),
  );
  expect(await statusOn(socket)).toBe(408);
  expect(arrived).toEqual(["/v1/books"]);
});

/** More than the buffers of all sockets on the way hold. */
const SLOWLY = 32_000_000;

test("a service that takes a body slowly is no fault of the client", async () => {
  let release = () => {};
  await start(
    (req, res) => {
      release = () => req.resume();
      req.on("end", () => res.end("{}"));
    },
    {
      // Several looks pass while the service waits, each with time enough for a busy machine to move bytes.
      paceMs: 300,
      timeoutMs: 60_000,
      bodyLimit: SLOWLY,
      routes: [route("POST", "/books", { maxBody: SLOWLY })],
    },
  );
  const outgoing: ClientRequest = request({
    port: gateway.port,
    method: "POST",
    path: "/v1/books",
    headers: { ...authorized, "content-type": "application/json", "content-length": SLOWLY },
  });
  open.push(outgoing);
  outgoing.end(Buffer.alloc(SLOWLY));
  await until(() => arrived.length === 1);
  await sleep(1_200);
  release();
  const [res] = (await once(outgoing, "response")) as [IncomingMessage];
  expect(res.statusCode).toBe(200);
});

test("responses that nobody reads are ended, and the next request is let through", async () => {
  const piece = Buffer.alloc(1_000_000);
  await start(
    (req, res) => {
      if (!req.url!.endsWith("endless")) return void res.end("{}");
      const more = () => {
        while (!res.destroyed && res.write(piece));
      };
      res.on("drain", more);
      more();
    },
    { connections: 1, paceMs: 50 },
  );
  const reader = await begin("GET /v1/spaces/endless HTTP/1.1", [BEARER]);
  reader.pause();
  await until(() => arrived.length === 1);
  expect(await read()).toBe(200);
});

test("a party waits for a place among the connections of a service, another one does not", async () => {
  const waiting: ServerResponse[] = [];
  await start((req, res) => void (req.url!.endsWith("slow") ? waiting.push(res) : res.end("{}")), {
    connections: 8,
  });
  const slow = Array.from({ length: 40 }, () => send(gateway, "GET", "/v1/spaces/slow"));
  await until(() => waiting.length === 3);
  expect(await read()).toBe(200);
  expect(waiting).toHaveLength(3);
  let responded = 0;
  for (const each of slow) void each.then(() => responded++);
  await until(() => {
    for (const res of waiting.splice(0)) res.end("{}");
    return responded === 40;
  });
});

test("an address opens so many connections, and one that closes makes room", async () => {
  await start(echo, { connectionsPerAddress: 5 });
  const sockets = await beginMany(5, "GET /v1/spaces/s HTTP/1.1", [BEARER]);
  await Promise.all(sockets.map(statusOn));
  const sixth = await begin("GET /v1/spaces/s HTTP/1.1", [BEARER]);
  await closed(sixth);
  sockets[0]!.destroy();
  await until(async () => (await read(authorized).catch(() => 0)) === 200);
});

test("a connection that sends hundreds of requests ahead is closed", async () => {
  await start(() => undefined);
  const socket = await begin("GET /v1/spaces/s HTTP/1.1", [BEARER]);
  socket.write(`GET /v1/spaces/s HTTP/1.1\r\nHost: a\r\n${BEARER}\r\n\r\n`.repeat(500));
  await closed(socket);
  expect(arrived.length).toBeLessThanOrEqual(100);
});
