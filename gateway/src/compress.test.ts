import { request, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { authorized, startGateway, type TestGateway } from "./testing.js";

let gateway: TestGateway;
let respond: (res: ServerResponse) => void;
beforeEach(async () => {
  gateway = await startGateway({ upstream: (_, res) => respond(res) });
});
afterEach(() => gateway.stop());

const TEXT = JSON.stringify({ text: "words that come again, ".repeat(100) });
const LONG = JSON.stringify({ text: "words that come again, ".repeat(20_000) });

/** The response of a service with these headers. */
const respondWith = (body: string, headers: Record<string, string | number> = {}, status = 200) => {
  respond = (res) => {
    const length = Buffer.byteLength(body);
    res.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
    res.end(body);
  };
};

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

const get = (accept?: string, method = "GET") =>
  new Promise<Got>((resolve, reject) => {
    const headers = { ...authorized, ...(accept !== undefined && { "accept-encoding": accept }) };
    const sent = request(`${gateway.url}/v1/spaces/s`, { method, headers }, async (res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of res) chunks.push(chunk);
      resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks) });
    });
    sent.on("error", reject).end();
  });

test.each([
  ["a short text", TEXT],
  ["a long text", LONG],
])("%s is sent compressed to who takes it, and as it is to others", async (_, text) => {
  respondWith(text);
  const compressed = await get("br;q=0.5, gzip");
  expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
  expect(compressed.body.length).toBeLessThan(text.length / 10);
  expect(gunzipSync(compressed.body).toString()).toBe(text);
  const plain = await get();
  expect(plain.headers).toMatchObject({ vary: "accept-encoding", "content-length": String(text.length) });
  expect([plain.headers["content-encoding"], plain.body.toString()]).toEqual([undefined, text]);
});

test.each(["br", "gzip;q=0", "gzip;q=0.000", "identity, gzip;q=0, br", "notgzip", ""])(
  "who accepts %j is sent no gzip",
  async (accept) => {
    respondWith(TEXT);
    const { headers, body } = await get(accept);
    expect([headers["content-encoding"], body.toString()]).toEqual([undefined, TEXT]);
  },
);

test.each(["gzip", "*", "x-gzip", "br, gzip;q=0.1", "gzip;q=1.0, deflate", "deflate,gzip"])(
  "who accepts %j is sent gzip",
  async (accept) => {
    respondWith(TEXT);
    expect((await get(accept)).headers["content-encoding"]).toBe("gzip");
  },
);

test("the ETag of a compressed response is weak, since its bytes differ", async () => {
  respondWith(TEXT, { etag: '"one"' });
  expect((await get("gzip")).headers.etag).toBe('W/"one"');
  expect((await get()).headers.etag).toBe('"one"');
  respondWith(TEXT, { etag: 'W/"two"' });
  expect((await get("gzip")).headers.etag).toBe('W/"two"');
});

test.each<[what: string, body: string, headers: Record<string, string>, status?: number]>([
  ["fewer than 1,000 bytes", '{"ok":true}', {}],
  ["an image", TEXT, { "content-type": "image/png" }],
  ["a stream of events", TEXT, { "content-type": "text/event-stream" }],
  ["what is compressed already", TEXT, { "content-encoding": "br" }],
  ["a part of something", TEXT, { "content-range": `bytes 0-9/${TEXT.length}` }, 206],
  ["what must not be transformed", TEXT, { "cache-control": "no-transform" }],
])("%s is sent as the service made it", async (_, body, headers, status = 200) => {
  respondWith(body, headers, status);
  const got = await get("gzip");
  expect([got.status, got.body.toString(), got.headers.vary]).toEqual([status, body, undefined]);
  expect(got.headers["content-encoding"]).toBe(headers["content-encoding"]);
});

test("what the service varies by stays beside the encoding", async () => {
  respondWith(TEXT, { vary: "authorization" });
  expect((await get("gzip")).headers.vary).toBe("authorization, accept-encoding");
});

test("HEAD returns the length of what is not compressed, and no body", async () => {
  respondWith(TEXT);
  const { headers, body } = await get("gzip", "HEAD");
  expect([headers["content-length"], headers["content-encoding"], body.length]).toEqual([
    String(TEXT.length),
    undefined,
    0,
  ]);
});

test("a long text of unknown length is compressed as it comes", async () => {
  respond = (res) => {
    res.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
    for (let at = 0; at < 50; at++) res.write(LONG.slice(0, 10_000));
    res.end();
  };
  const { body } = await get("gzip");
  expect(gunzipSync(body).toString()).toBe(LONG.slice(0, 10_000).repeat(50));
});
