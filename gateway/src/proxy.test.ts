import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { authorized, listen, raw, send, startGateway, type TestGateway } from "./testing.js";

let gateway: TestGateway;
let respond: (req: IncomingMessage, res: ServerResponse) => void;
let requests: number;
/** More than is collected before the service receives it. */
const LARGE = 300_000;
const json = { ...authorized, "content-type": "application/json" };

beforeEach(async () => {
  requests = 0;
  gateway = await startGateway({
    upstream: (req, res) => {
      requests++;
      respond(req, res);
    },
    timeoutMs: 600,
    bodyLimit: 600_000,
  });
});
afterEach(() => gateway.stop());

/** Waits until `done`. */
async function until(done: () => boolean) {
  for (let tries = 0; tries < 5_000 && !done(); tries++) await sleep(10);
  expect(done()).toBe(true);
}

test("503 with Retry-After when nobody listens", async () => {
  const { url, stop } = await listen(createServer());
  await stop();
  const lonely = await startGateway({ upstream: (_, res) => res.end(), upstreams: { content: url } });
  const { status, headers, json } = await send(lonely, "GET", "/v1/spaces/s");
  expect([status, headers["retry-after"], json().error.reason]).toEqual([503, "1", "service_unavailable"]);
  expect(lonely.failures).toMatchObject([{ service: "content" }]);
  expect((await send(lonely, "GET", "/v1/sites/s")).status).toBe(200);
  await lonely.stop();
});

test("a GET is tried once more after a reset, a POST is not", async () => {
  respond = (req, res) => (requests === 1 ? req.socket.destroy() : res.end('{"ok":true}'));
  expect((await send(gateway, "GET", "/v1/spaces/s")).status).toBe(200);
  expect(requests).toBe(2);
  requests = 0;
  const post = await send(gateway, "POST", "/v1/spaces/s/content", { headers: json, body: "{}" });
  expect([post.status, post.json().error.reason, requests]).toEqual([502, "bad_gateway", 1]);
});

test("a GET is tried once more on a connection of its own, when the service has let go of all that were kept", async () => {
  const kept = new Set<object>();
  let waiting: ServerResponse[] = [];
  respond = (req, res) => {
    kept.add(req.socket);
    waiting.push(res);
    if (waiting.length === 2) for (const each of waiting.splice(0)) each.end("{}");
  };
  await Promise.all([1, 2].map(() => send(gateway, "GET", "/v1/spaces/s")));
  expect(kept.size).toBe(2);
  waiting = [];
  respond = (req, res) => (kept.has(req.socket) ? req.socket.destroy() : res.end("{}"));
  expect((await send(gateway, "GET", "/v1/spaces/s")).status).toBe(200);
});

test("502 when the service closes the connection twice, or sends an invalid response", async () => {
  respond = (req) => req.socket.destroy();
  expect((await send(gateway, "GET", "/v1/spaces/s")).status).toBe(502);
  expect(requests).toBe(2);
  respond = (req) => req.socket.end("nonsense\r\n\r\n");
  const nonsense = await send(gateway, "GET", "/v1/spaces/s");
  expect([nonsense.status, nonsense.headers["x-request-id"]]).toEqual([502, nonsense.json().error.requestId]);
});

test("504 when the service does not begin to respond, and the request to it is closed", async () => {
  let closed = false;
  respond = (req) => req.socket.once("close", () => (closed = true));
  const { status, json } = await send(gateway, "GET", "/v1/spaces/s");
  expect([status, json().error.reason]).toEqual([504, "gateway_timeout"]);
  await until(() => closed);
});

test("a response that takes long once it began is not cut", async () => {
  respond = async (_, res) => {
    res.write("begin ");
    await sleep(800);
    res.end("end");
  };
  expect((await send(gateway, "GET", "/v1/spaces/s")).text).toBe("begin end");
});

test("a service that dies in the middle of its response cuts the client's response too", async () => {
  respond = (_, res) => {
    res.writeHead(200, { "content-length": 1_000 });
    res.write("half");
    setTimeout(() => res.destroy(), 20);
  };
  await expect(send(gateway, "GET", "/v1/spaces/s")).rejects.toThrow();
});

test("a client that goes away while waiting, reading or sending ends the request to the service", async () => {
  let gone = 0;
  respond = (req, res) => {
    res.once("close", () => gone++);
    if (req.url!.endsWith("streaming")) res.write("some");
    req.resume();
  };
  const start = (method: string, path: string) => {
    const outgoing = request({ port: gateway.port, method, path, headers: json, agent: false });
    outgoing.on("error", () => undefined);
    outgoing.on("response", (res) => res.on("error", () => undefined));
    return outgoing;
  };
  const waiting = start("GET", "/v1/spaces/waiting");
  waiting.end();
  const streaming = start("GET", "/v1/spaces/streaming");
  streaming.end();
  const sending = start("POST", "/v1/books");
  sending.write("x".repeat(LARGE));
  await until(() => requests === 3);
  for (const one of [waiting, streaming, sending]) one.destroy();
  await until(() => gone === 3);
});

test("request and response bodies are streamed: the first part arrives before the last one is written", async () => {
  let received = 0;
  let release = () => {};
  const parts: string[] = [];
  respond = (req, res) => {
    req.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received === LARGE) res.write("got the first;");
    });
    req.on("end", () => res.end("done"));
  };
  const released = new Promise<void>((done) => (release = done));
  const outgoing = request({
    port: gateway.port,
    method: "POST",
    path: "/v1/books",
    headers: json,
  });
  const finished = new Promise<void>((done) =>
    outgoing.on("response", (res) => {
      res.on("data", (chunk) => {
        parts.push(String(chunk));
        release();
      });
      res.on("end", done);
    }),
  );
  outgoing.write("x".repeat(LARGE));
  await released;
  expect([received, parts.join("")]).toEqual([LARGE, "got the first;"]);
  outgoing.end("two");
  await finished;
  expect([received, parts.join("")]).toEqual([LARGE + 3, "got the first;done"]);
});

test("413 while a body of unknown length streams in, and the service never sees its end", async () => {
  let ended = false;
  let cut = false;
  respond = (req) => {
    req.on("end", () => (ended = true));
    req.on("error", () => (cut = true));
    req.resume();
  };
  const { status, json: body } = await send(gateway, "POST", "/v1/books", {
    headers: { ...json, "transfer-encoding": "chunked" },
    body: "x".repeat(900_000),
  });
  expect([status, body().error.reason]).toEqual([413, "body_too_large"]);
  await until(() => cut);
  expect(ended).toBe(false);
});

test("a body that is refused in advance does not break the connection's next request", async () => {
  respond = (_, res) => res.end("{}");
  const body = "x".repeat(300_000);
  const text = [
    `POST /v1/spaces/s/content HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorized.authorization}\r\n`,
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `GET /v1/ HTTP/1.1\r\nHost: a\r\n\r\n`,
  ].join("");
  const responses = await raw(gateway, text);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
});

test("a slow upload may take longer than a response may", async () => {
  respond = (req, res) => {
    req.resume();
    req.on("end", () => res.end("{}"));
  };
  const outgoing = request({
    port: gateway.port,
    method: "POST",
    path: "/v1/spaces/s/content",
    headers: json,
  });
  const status = new Promise((done) => outgoing.on("response", (res) => done(res.statusCode)));
  outgoing.write("{");
  await sleep(800);
  outgoing.end("}");
  expect(await status).toBe(200);
});

test("headers that Connection names are for one hop only, in requests and responses, however many it names", async () => {
  for (const names of ["x-hop", "close, X-Hop", "keep-alive,x-hop"]) {
    let received: string | string[] | undefined = "nothing";
    respond = (req, res) => {
      received = req.headers["x-hop"];
      res.writeHead(200, { connection: names, "x-hop": "1", "x-end": "2" }).end("{}");
    };
    const given = { ...authorized, connection: names, "x-hop": "1" };
    const { headers } = await send(gateway, "GET", "/v1/spaces/s", { headers: given });
    expect([received, headers["x-hop"], headers["x-end"]]).toEqual([undefined, undefined, "2"]);
  }
});

test("GET /readyz names the services that are not ready", async () => {
  respond = (_, res) => res.writeHead(200).end("{}");
  expect((await send(gateway, "GET", "/readyz")).status).toBe(200);
  respond = (_, res) => res.writeHead(503).end("{}");
  const { status, json } = await send(gateway, "GET", "/readyz");
  expect([status, json().services]).toMatchObject([503, { orgs: "not ready", sites: "not ready" }]);
  expect((await send(gateway, "GET", "/livez")).json()).toEqual({ status: "ok" });
});
