import { randomBytes } from "node:crypto";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { REUSABLE_HEADER } from "@octavo/shared/rest/not-modified";
import { afterEach, beforeEach, expect, test } from "vitest";
import { authorized, startGateway, type TestGateway } from "./testing.js";

let gateway: TestGateway;
/** The body that the service has now, and what it sent so far. */
let text: string;
let more: Record<string, string>;
let sent: { status: number; asked: string | undefined }[];
const tagOf = (body: string) => `"${body.length}"`;
beforeEach(async () => {
  sent = [];
  more = { [REUSABLE_HEADER]: "1" };
  text = "words ".repeat(50_000);
  gateway = await startGateway({ upstream: (req, res) => respond(req, res) });
});
afterEach(() => gateway.stop());

function respond(req: IncomingMessage, res: ServerResponse) {
  const asked = req.headers["if-none-match"];
  const etag = tagOf(text);
  const status = asked?.split(", ").includes(etag) ? 304 : 200;
  sent.push({ status, asked });
  const length = status === 200 ? { "content-length": text.length, "content-type": "application/json" } : {};
  res.writeHead(status, { etag, "cache-control": "private, no-cache", ...more, ...length });
  res.end(status === 200 ? text : undefined);
}

const get = (headers: Record<string, string> = {}, { path = "/v1/spaces/s", method = "GET" } = {}) =>
  new Promise<{ status: number; headers: IncomingMessage["headers"]; body: Buffer }>((resolve, reject) => {
    const all = { ...authorized, ...headers };
    request(`${gateway.url}${path}`, { method, headers: all }, async (res) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of res) chunks.push(chunk);
      } catch (error) {
        return reject(error);
      }
      resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks) });
    })
      .on("error", reject)
      .end();
  });
const statuses = () => sent.map(({ status }) => status);

test("a body whose tag the service confirms is sent again, whole, in the form that the client takes", async () => {
  const first = await get();
  const again = await get();
  expect(statuses()).toEqual([200, 304]);
  for (const { status, headers, body } of [first, again]) {
    expect([status, body.equals(Buffer.from(text)), headers.etag]).toEqual([200, true, tagOf(text)]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(text.length),
      "cache-control": "private, no-cache",
      vary: "accept-encoding",
    });
    expect(headers[REUSABLE_HEADER]).toBeUndefined();
  }
  const compressed = await get({ "accept-encoding": "gzip" });
  // Of what was kept for others nothing is compressed anew: the service is asked for it.
  expect(statuses()).toEqual([200, 304, 200]);
  expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", etag: `W/${tagOf(text)}` });
  expect(gunzipSync(compressed.body).equals(Buffer.from(text))).toBe(true);
});

test("a client that has the body is told so, and one that has another is sent the present one", async () => {
  await get();
  const own = await get({ "if-none-match": tagOf(text) });
  expect([own.status, own.body.length]).toEqual([304, 0]);
  const other = await get({ "if-none-match": '"other"' });
  expect([other.status, other.body.equals(Buffer.from(text))]).toEqual([200, true]);
  expect(sent.at(-1)).toEqual({ status: 304, asked: `"other", ${tagOf(text)}` });
});

test("a body that changed is sent as the service has it now, and refusals are the service's", async () => {
  await get();
  text = "other words ".repeat(50_000);
  expect((await get()).body.equals(Buffer.from(text))).toBe(true);
  expect((await get()).body.equals(Buffer.from(text))).toBe(true);
  expect(statuses()).toEqual([200, 200, 304]);
  expect((await get({ authorization: "Bearer nobody" })).status).toBe(401);
});

test("only what the service marks is kept, by its address, and for reads of the whole alone", async () => {
  await get();
  await get({}, { path: "/v1/spaces/other" });
  await get({}, { method: "HEAD" });
  await get({ range: "bytes=0-1" });
  expect(sent.map(({ asked }) => asked)).toEqual([undefined, undefined, undefined, undefined]);
  more = {};
  text = "unmarked ".repeat(50_000);
  const unmarked = { path: "/v1/spaces/unmarked" };
  await get({}, unmarked);
  await get({}, unmarked);
  expect(sent.at(-1)!.asked).toBeUndefined();
});

test("what a service compressed is sent again as it is, and only to clients that take it", async () => {
  // Long as it is sent, too.
  text = randomBytes(150_000).toString("hex");
  const packed = gzipSync(text);
  const bodies: boolean[] = [];
  const compressing = (req: IncomingMessage, res: ServerResponse) => {
    const etag = '"one"';
    const isKnown = req.headers["if-none-match"]?.includes(etag) ?? false;
    const takes = req.headers["accept-encoding"] === "gzip";
    bodies.push(!isKnown);
    const headers = { [REUSABLE_HEADER]: "1", "content-type": "application/json" };
    if (isKnown) return void res.writeHead(304, { etag }).end();
    if (!takes) return void res.writeHead(200, { ...headers, etag, "content-length": text.length }).end(text);
    const encoded = { "content-encoding": "gzip", "content-length": packed.length, etag: `W/${etag}` };
    res.writeHead(200, { ...headers, ...encoded }).end(packed);
  };
  await gateway.stop();
  gateway = await startGateway({ upstream: compressing });
  const first = await get({ "accept-encoding": "gzip" });
  const again = await get({ "accept-encoding": "gzip" });
  expect(bodies).toEqual([true, false]);
  for (const { headers, body } of [first, again]) {
    expect(headers).toMatchObject({ etag: 'W/"one"', "content-encoding": "gzip" });
    expect(gunzipSync(body).toString()).toBe(text);
  }
  const plain = await get();
  expect([bodies.at(-1), plain.headers.etag, plain.body.toString() === text]).toEqual([true, '"one"', true]);
});

test("a body that was compressed on its way is compressed once", async () => {
  const first = await get({ "accept-encoding": "gzip" });
  const again = await get({ "accept-encoding": "gzip" });
  expect(statuses()).toEqual([200, 304]);
  expect(again.headers["content-length"]).toBe(String(first.body.length));
  expect(again.body.equals(first.body)).toBe(true);
});

test("a body that breaks off is not kept", async () => {
  let breaks = true;
  await gateway.stop();
  gateway = await startGateway({
    upstream: (req, res) => {
      if (!breaks) return respond(req, res);
      res.writeHead(200, { ...more, etag: tagOf(text), "content-type": "application/json" });
      res.write(text.slice(0, 200_000), () => res.destroy());
    },
  });
  await expect(get()).rejects.toThrow();
  breaks = false;
  expect((await get()).body.equals(Buffer.from(text))).toBe(true);
  expect(statuses()).toEqual([200]);
});
