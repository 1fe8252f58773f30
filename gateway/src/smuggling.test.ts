import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { raw, startGateway, type TestGateway, TOKEN } from "./testing.js";

// What a client may write to the connection by hand, and what the service behind must never see.

let gateway: TestGateway;
let arrived: { method?: string; url?: string; headers: Record<string, unknown>; body: string }[] = [];
beforeAll(async () => {
  gateway = await startGateway({
    upstream: (req, res) => {
      let body = "";
      req.on("data", (chunk) => {
        body += chunk;
      });
      req.on("end", () => {
        arrived.push({ method: req.method, url: req.url, headers: req.headers, body });
        res.end("{}");
      });
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  arrived = [];
});

const request = (line: string, headers: string[], body = "") =>
  `${[line, `Authorization: Bearer ${TOKEN}`, ...headers].join("\r\n")}\r\n\r\n${body}`;
const POST = "POST /v1/spaces/s/content HTTP/1.1";
const GET = "GET /v1/spaces/s HTTP/1.1";
const JSON_TYPE = "Content-Type: application/json";
const HIDDEN = "GET /v1/admin HTTP/1.1\r\nHost: a\r\n\r\n";

const refused: [string, string][] = [
  [
    "length and chunks",
    request(
      POST,
      ["Host: a", JSON_TYPE, "Content-Length: 5", "Transfer-Encoding: chunked"],
      `0\r\n\r\n${HIDDEN}`,
    ),
  ],
  ["two lengths", request(POST, ["Host: a", JSON_TYPE, "Content-Length: 0", "Content-Length: 44"], HIDDEN)],
  ["a signed length", request(POST, ["Host: a", JSON_TYPE, "Content-Length: +5"], "{}")],
  [
    "an unknown transfer coding",
    request(POST, ["Host: a", JSON_TYPE, "Transfer-Encoding: xchunked"], `0\r\n\r\n${HIDDEN}`),
  ],
  [
    "a coding below chunked",
    request(POST, ["Host: a", JSON_TYPE, "Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"),
  ],
  [
    "a space before the colon",
    request(POST, ["Host: a", JSON_TYPE, "Transfer-Encoding : chunked"], `0\r\n\r\n${HIDDEN}`),
  ],
  ["bare line feeds", request(GET, ["Host: a"]).replaceAll("\r\n", "\n")],
  [
    "a chunk that ends with a line feed",
    request(POST, ["Host: a", JSON_TYPE, "Transfer-Encoding: chunked"], "2\n{}\n0\n\n"),
  ],
  [
    "a chunk size that is none",
    request(POST, ["Host: a", JSON_TYPE, "Transfer-Encoding: chunked"], "0x2\r\n{}\r\n0\r\n\r\n"),
  ],
  ["two hosts", request(GET, ["Host: a", "Host: b"])],
  ["no host", request(GET, [])],
  ["two authorizations", request(GET, ["Host: a", "Authorization: Bearer other-token-0123456789"])],
  ["absolute form", request("GET http://evil.example/v1/spaces/s HTTP/1.1", ["Host: a"])],
  ["dot segments", request("GET /v1/spaces/../../admin HTTP/1.1", ["Host: a"])],
  ["a space in the target", request("GET /v1/spaces/s HTTP/1.1 HTTP/1.1", ["Host: a"])],
  ["bytes beyond ASCII in the target", request("GET /v1/spaces/\xe4 HTTP/1.1", ["Host: a"])],
  ["a header over two lines", request(GET, ["Host: a", "X-One: a\r\n b"]).replace("\r\n b", "\n b")],
  ["a control character in a header", request(GET, ["Host: a", "X-One: a\x00b"])],
  ["no HTTP", "HELLO\r\n\r\n"],
];

test.each(refused)("%s: 400 in the error shape, and nothing arrives", async (_name, bytes) => {
  const response = await raw(gateway, bytes);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(response.split("\r\n\r\n")[1]!)).toMatchObject({ error: { code: 400 } });
  expect(arrived.filter(({ url }) => url !== "/v1/spaces/s/content")).toEqual([]);
  expect(arrived.every(({ body }) => body === "")).toBe(true);
});

test("too many headers are 431", async () => {
  const response = await raw(gateway, request(GET, ["Host: a", `X-Long: ${"x".repeat(40_000)}`]));
  expect(response).toMatch(/^HTTP\/1\.1 431 /);
  expect(arrived).toEqual([]);
});

test("an upgrade is handled as an ordinary request, and no Upgrade reaches the service", async () => {
  for (const kind of ["websocket", "h2c"]) {
    const response = await raw(gateway, request(GET, ["Host: a", "Connection: Upgrade", `Upgrade: ${kind}`]));
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  }
  expect(arrived).toHaveLength(2);
  for (const { headers } of arrived) {
    expect(headers.upgrade).toBeUndefined();
    expect(headers.connection).not.toMatch(/upgrade/i);
  }
});

test("CONNECT gets no tunnel", async () => {
  expect(await raw(gateway, "CONNECT internal:80 HTTP/1.1\r\nHost: internal:80\r\n\r\n")).not.toMatch(
    / 200 /,
  );
  expect(arrived).toEqual([]);
});

test("headers that Connection names are for this hop only, the framing and our own are kept", async () => {
  const names = "close, x-secret, x-octavo-identity, x-request-id, content-length, transfer-encoding";
  const response = await raw(
    gateway,
    request(
      POST,
      ["Host: a", JSON_TYPE, "Content-Length: 2", `Connection: ${names}`, "X-Secret: 1", "TE: trailers"],
      "{}",
    ),
  );
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  const [{ headers, body }] = arrived as [(typeof arrived)[0]];
  expect(body).toBe("{}");
  expect(headers).toMatchObject({ "content-length": "2" });
  expect(headers["x-octavo-identity"]).toMatch(/^ey/);
  expect(headers["x-secret"] ?? headers.te).toBeUndefined();
});

test("pipelined requests get their responses one by one, each under its own bearer", async () => {
  const anonymous = "GET /v1/spaces/s HTTP/1.1\r\nHost: a\r\n\r\n";
  const response = await raw(gateway, request(GET, ["Host: a"]) + anonymous + request(GET, ["Host: a"]));
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 401", "HTTP/1.1 200"]);
  expect(arrived).toHaveLength(2);
});

test("Expect: 100-continue invites the body only when the request is taken", async () => {
  const expecting = (length: number) =>
    request(POST, ["Host: a", JSON_TYPE, `Content-Length: ${length}`, "Expect: 100-continue"]);
  expect(await raw(gateway, expecting(2))).toMatch(/^HTTP\/1\.1 100 Continue/);
  const refused = await raw(gateway, expecting(100_000_000));
  expect(refused).toMatch(/^HTTP\/1\.1 413 /);
  expect(refused.toLowerCase()).toContain("connection: close");
  const other = await raw(gateway, request(GET, ["Host: a", "Expect: tea"]));
  expect(other).toMatch(/^HTTP\/1\.1 200 /);
});

test("HTTP/1.0 gets a response and its connection is closed", async () => {
  const response = await raw(gateway, request("GET /v1/spaces/s HTTP/1.0", ["Host: a"]));
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(response.toLowerCase()).toContain("connection: close");
});
