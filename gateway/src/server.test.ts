import { afterAll, beforeAll, expect, test } from "vitest";
import { authorized, send, startGateway, type TestGateway } from "./testing.js";

let gateway: TestGateway;
let responseStatus = 200;
beforeAll(async () => {
  gateway = await startGateway({
    upstream: (req, res) => {
      let body = "";
      req.on("data", (chunk) => {
        body += chunk;
      });
      req.on("end", () => {
        const text = JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body });
        res.writeHead(responseStatus, {
          "content-type": "application/json",
          "x-powered-by": "secret",
          "x-octavo-internal": "1",
        });
        res.end(text);
      });
    },
    reads: 100,
    bodyLimit: 1_000,
  });
});
afterAll(() => gateway.stop());

test("GET /v1/ and /v1 return version and build", async () => {
  for (const path of ["/v1/", "/v1"]) {
    const { status, json } = await send(gateway, "GET", path, { headers: {} });
    expect([status, json()]).toEqual([200, { version: "1.2.3", build: "2026-01-01T00:00:00.000Z" }]);
  }
});

test("a request reaches its service unchanged, with the identity of the bearer and none of its credentials", async () => {
  const response = await send(gateway, "GET", "/v1/spaces/s%20pace?a=1&a=2&b=%2F", {
    headers: {
      ...authorized,
      cookie: "a=b",
      accept: "application/json",
      "x-forwarded-for": "6.6.6.6",
      forwarded: "for=6.6.6.6",
    },
  });
  expect(response.status).toBe(200);
  const { url, headers } = response.json() as unknown as { url: string; headers: Record<string, string> };
  expect(url).toBe("/v1/spaces/s%20pace?a=1&a=2&b=%2F");
  expect(headers.authorization ?? headers.cookie ?? headers.forwarded).toBeUndefined();
  expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
  expect(headers["x-forwarded-host"]).toBe(`localhost:${gateway.port}`);
  expect(headers["x-request-id"]).toBe(response.headers["x-request-id"]);
  expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(await gateway.verifier.verify(headers["x-octavo-identity"]!)).toMatchObject({
    kind: "user",
    id: "user1",
  });
});

test("internal headers of a client never arrive, in any spelling", async () => {
  const spellings = [
    "X-Octavo-Identity",
    "x-octavo-anything",
    "X_Octavo_Identity",
    "X-Internal-User",
    "x_internal-user",
    "X-Forwarded-User",
  ];
  const headers = { ...authorized, ...Object.fromEntries(spellings.map((name) => [name, "evil"])) };
  const response = await send(gateway, "GET", "/v1/spaces/s", {
    headers: { ...headers, connection: "close, x-octavo-identity" },
  });
  expect(response.text).not.toContain("evil");
  expect(response.text).toContain('"x-octavo-identity":"ey');
  expect(response.headers["x-octavo-internal"] ?? response.headers["x-powered-by"]).toBeUndefined();
});

test("a sane request id and trace are taken from the client, others are replaced", async () => {
  const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const sane = await send(gateway, "GET", "/v1/spaces/s", {
    headers: { ...authorized, "x-request-id": "client-id-1", traceparent: trace, tracestate: "a=b" },
  });
  expect(sane.headers["x-request-id"]).toBe("client-id-1");
  expect(sane.json().headers).toMatchObject({ traceparent: trace, tracestate: "a=b" });
  const other = await send(gateway, "GET", "/v1/spaces/s", {
    headers: { ...authorized, "x-request-id": "a b<c>", traceparent: "00-0-0-0", tracestate: "a=b" },
  });
  expect(other.headers["x-request-id"]).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(other.json().headers).not.toHaveProperty("tracestate");
});

test("401: no token, another scheme, an unknown token, each with WWW-Authenticate and the error shape", async () => {
  for (const authorization of [
    undefined,
    "Basic YTpi",
    "Bearer",
    "Bearer short",
    "Bearer unknown-token-0123456789",
    "Bearer a b",
  ]) {
    const response = await send(gateway, "GET", "/v1/spaces/s", {
      headers: authorization ? { authorization } : {},
    });
    expect(response.status, authorization).toBe(401);
    expect(response.headers["www-authenticate"]).toContain('Bearer realm="octavo"');
    expect(response.json().error).toMatchObject({ code: 401, requestId: response.headers["x-request-id"] });
  }
  const problem = await send(gateway, "GET", "/v1/spaces/s", {
    headers: { accept: "application/problem+json" },
  });
  expect(problem.headers["content-type"]).toBe("application/problem+json");
});

test("404 and 405 with Allow, without requiring a token", async () => {
  const unknown = await send(gateway, "GET", "/v1/nothing", { headers: {} });
  expect([unknown.status, unknown.json().error.reason]).toEqual([404, "not_found"]);
  for (const path of ["/v1/spaces/", "/nothing", "/V1/user", "/v1/spaces/s/content/path/"]) {
    expect((await send(gateway, "GET", path, { headers: {} })).status, path).toBe(404);
  }
  const other = await send(gateway, "DELETE", "/v1/spaces/s", { headers: {} });
  expect([other.status, other.headers.allow]).toEqual([405, "GET, PATCH, HEAD, OPTIONS"]);
  expect((await send(gateway, "POST", "/livez", { headers: {} })).headers.allow).toBe("GET, HEAD, OPTIONS");
  expect((await send(gateway, "TRACE", "/v1/spaces/s", { headers: {} })).status).toBe(405);
});

test("400: a path that is not canonical, on any route", async () => {
  for (const path of [
    "/v1/spaces/../user",
    "/v1//spaces",
    "/v1/spaces/%2e%2e",
    "/v1/spaces/a%2fb",
    "/docs/../livez",
    "/v1/spaces/%zz",
  ]) {
    const response = await send(gateway, "GET", path);
    expect([path, response.status, response.json().error.reason]).toEqual([path, 400, "invalid_path"]);
  }
});

test("413 by length and 415 by type, before the service is called", async () => {
  const big = await send(gateway, "POST", "/v1/spaces/s/content", {
    headers: { ...authorized, "content-type": "application/json" },
    body: "x".repeat(2_000),
  });
  expect([big.status, big.json().error.reason]).toEqual([413, "body_too_large"]);
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
  ]) {
    const response = await send(gateway, "POST", "/v1/spaces/s/content", {
      headers: { ...authorized, "content-type": type },
      body: "{}",
    });
    expect([type, response.status]).toEqual([type, 415]);
  }
  const packed = await send(gateway, "POST", "/v1/spaces/s/content", {
    headers: { ...authorized, "content-type": "application/json", "content-encoding": "gzip" },
    body: "{}",
  });
  expect(packed.status).toBe(415);
});

test("a form passes as it is where a route takes one, without a bearer; other types do not", async () => {
  const post = (type: string) =>
    send(gateway, "POST", "/v1/forms", { headers: { "content-type": type }, body: "a=1+2&b=%2B" });
  const response = await post("application/x-www-form-urlencoded");
  expect([response.status, response.json().body]).toEqual([200, "a=1+2&b=%2B"]);
  expect((await post("text/plain")).status).toBe(415);
});

test("JSON bodies and empty bodies pass, whole or in chunks", async () => {
  const json = { ...authorized, "content-type": "application/json; charset=utf-8" };
  const sized = await send(gateway, "POST", "/v1/spaces/s/content", { headers: json, body: '{"a":1}' });
  expect(sized.json().body).toBe('{"a":1}');
  const chunked = await send(gateway, "POST", "/v1/spaces/s/content", {
    headers: { ...json, "transfer-encoding": "chunked" },
    body: '{"a":2}',
  });
  expect(chunked.json().body).toBe('{"a":2}');
  expect((await send(gateway, "POST", "/v1/spaces/s/content")).status).toBe(200);
});

test("429: X-RateLimit headers count down, and a token that exceeds its limit has to wait", async () => {
  const before = await send(gateway, "GET", "/v1/spaces/s");
  const left = Number(before.headers["x-ratelimit-remaining"]);
  expect(before.headers["x-ratelimit-limit"]).toBe("100");
  expect(Number(before.headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now() / 1000 - 1);
  await Promise.all(Array.from({ length: left }, () => send(gateway, "GET", "/v1/spaces/s")));
  const refused = await send(gateway, "GET", "/v1/spaces/s");
  expect([refused.status, refused.headers["x-ratelimit-remaining"]]).toEqual([429, "0"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await send(gateway, "POST", "/v1/spaces/s/content")).status).toBe(200);
});

test("429: sign-ins, which come without a token, are counted by address, other routes without a token are not", async () => {
  const one = await startGateway({
    upstream: (_, res) => res.end("{}"),
    signInsPerMinute: 2,
    trustedHops: 1,
  });
  const from = (address: string, path = "/v1/sign-in") =>
    send(one, "GET", path, { headers: { "x-forwarded-for": address } });
  const statuses = async (...addresses: string[]) => {
    const seen: number[] = [];
    for (const address of addresses) seen.push((await from(address)).status);
    return seen;
  };
  expect(await statuses("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")).toEqual([200, 200, 429, 200]);
  const refused = await from("192.0.2.1");
  expect(refused.json().error).toMatchObject({ code: 429, reason: "rate_limited" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await from("192.0.2.1", "/v1/files/f/download")).status).toBe(200);
  expect(await statuses("2001:db8::1", "2001:DB8:0:0:ffff::2", "2001:db8::3", "2001:db8:0:1::1")).toEqual([
    200, 200, 429, 200,
  ]);
  await one.stop();
});

test("visits, which come without a token, are counted by address apart from sign-ins, with bodies of any type", async () => {
  const one = await startGateway({
    upstream: (req, res) => req.pipe(res),
    visitsPerMinute: 2,
    signInsPerMinute: 1,
    trustedHops: 1,
  });
  const visit = (address: string, body = "<a/>") =>
    send(one, "POST", "/v1/visits/a/b", {
      headers: { "x-forwarded-for": address, "content-type": "text/xml" },
      body,
    });
  expect((await visit("192.0.2.1")).status).toBe(200);
  expect((await visit("192.0.2.1", "x".repeat(300 * 1024))).status).toBe(413);
  expect((await visit("192.0.2.1")).status).toBe(429);
  expect((await visit("192.0.2.2")).status).toBe(200);
  const signIn = await send(one, "GET", "/v1/sign-in", { headers: { "x-forwarded-for": "192.0.2.1" } });
  expect(signIn.status).toBe(200);
  await one.stop();
});

test("OPTIONS returns the methods, and allows any origin to use them without credentials", async () => {
  const response = await send(gateway, "OPTIONS", "/v1/spaces/s", {
    headers: { origin: "https://example.org", "access-control-request-method": "PATCH" },
  });
  expect([response.status, response.headers.allow]).toEqual([204, "GET, PATCH, HEAD, OPTIONS"]);
  expect(response.headers["access-control-allow-origin"]).toBe("*");
  expect(response.headers["access-control-allow-headers"]).toContain("Authorization");
  expect(response.headers["access-control-allow-credentials"]).toBeUndefined();
  const preflight = await send(gateway, "OPTIONS", "/v1/spaces/s", {
    headers: { "access-control-request-headers": "authorization,x-client" },
  });
  expect(preflight.headers["access-control-allow-headers"]).toBe("authorization,x-client");
  expect((await send(gateway, "OPTIONS", "/v1/nothing", { headers: {} })).status).toBe(404);
});

test("a route without bearer is forwarded without any identity, even when a token is sent", async () => {
  const response = await send(gateway, "GET", "/v1/files/f/download");
  expect(response.status).toBe(200);
  expect(response.json().headers).not.toHaveProperty("x-octavo-identity");
});

test("a deprecated operation sends Deprecation and Sunset, and every response forbids sniffing, framing and caching", async () => {
  const one = await startGateway({ upstream: (_, res) => res.end("{}") });
  const response = await send(one, "GET", "/v1/old");
  expect(response.headers).toMatchObject({
    deprecation: "@1793491200",
    sunset: "Sat, 01 May 2027 00:00:00 GMT",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
    "access-control-allow-origin": "*",
  });
  expect(response.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  await one.stop();
});

test("HEAD is GET without the body", async () => {
  responseStatus = 200;
  const response = await send(gateway, "HEAD", "/v1/files/f/download");
  expect([response.status, response.text]).toEqual([200, ""]);
});
