import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { bodyOf, sizeOf } from "./body.js";
import { redirect, respond, respondInParts } from "./respond.js";

const TEXT = "A page of words. ".repeat(500);

/** What is sent of a body to a client that accepts an encoding. */
async function sent(body: ReturnType<typeof bodyOf>, encoding: string, method = "GET") {
  const got: { headers: Record<string, string | number>; bytes?: Buffer } = { headers: {} };
  const res = {
    writeHead: (_: number, headers: Record<string, string | number>) => Object.assign(got, { headers }),
    end: (bytes?: Buffer) => Object.assign(got, { bytes }),
  } as unknown as ServerResponse;
  const req = { method, headers: { "accept-encoding": encoding } } as unknown as IncomingMessage;
  await respond(req, res, body, "no-store");
  return got;
}

test("a body that was compressed is kept in that form alone, until a client does not take it", async () => {
  const body = bodyOf(TEXT, { type: "text/html" });
  const before = sizeOf(body);
  const [one, other] = await Promise.all([sent(body, "br"), sent(body, "br")]);
  for (const { headers, bytes } of [one, other]) {
    expect(headers).toMatchObject({ "content-encoding": "br", "content-length": bytes!.length });
    expect(String(brotliDecompressSync(bytes!))).toBe(TEXT);
  }
  expect(body.bytes).toBeUndefined();
  expect(sizeOf(body)).toBeLessThan(before / 10);
  const plain = await sent(body, "gzip");
  expect([String(plain.bytes), plain.headers["content-length"]]).toEqual([TEXT, TEXT.length]);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect([body.bytes, body.brotli].map(Boolean)).toEqual([true, true]);
  expect((await sent(body, "br")).headers["content-encoding"]).toBe("br");
});

test("HEAD has the length of the body as it would be sent, and no body", async () => {
  for (const encoding of ["br", "identity"]) {
    const body = bodyOf(TEXT, { type: "text/html" });
    const { headers } = await sent(body, encoding);
    expect(await sent(body, encoding, "HEAD")).toMatchObject({ headers, bytes: undefined });
  }
});

/** The address of a server. */
async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The address of a server that sends texts in parts, and what it could not send. */
async function serve(texts: () => AsyncGenerator<string>) {
  const refused: unknown[] = [];
  const url = await listen((req, res) => {
    const parts = { type: "text/plain", headers: { "x-robots-tag": "noindex" }, cache: "no-store" };
    respondInParts(req, res, { ...parts, texts: texts() }).catch((error: unknown) => {
      refused.push(error);
      if (!res.headersSent) res.writeHead(503).end();
    });
  });
  return { url, refused };
}

test("somebody is sent to any address and any path, and by a path to no other host", async () => {
  let target = "";
  const url = await listen((_, res) => redirect(res, target, { status: 308 }));
  for (const [given, location] of [
    [
      "https://ja.wikipedia.org/wiki/日本?a=b#ü",
      "https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC?a=b#%C3%BC",
    ],
    ["https://bücher.example/a%20b", "https://xn--bcher-kva.example/a%20b"],
    ["/docs/日本 %E6?a=é#x", "/docs/%E6%97%A5%E6%9C%AC%20%E6?a=%C3%A9#x"],
    ["/docs/\ud83d\r\nset-cookie: a", "/docs/%EF%BF%BD%0D%0Aset-cookie:%20a"],
    ["//evil.example/a", "/evil.example/a"],
    ["/\\evil.example/a", "/evil.example/a"],
  ] as const) {
    target = given;
    const { status, headers } = await fetch(url, { redirect: "manual" });
    expect([status, headers.get("location")], given).toEqual([308, location]);
  }
});

test("texts that are sent in parts arrive as one body, compressed to whoever takes gzip", async () => {
  const { url } = await serve(async function* () {
    for (let part = 0; part < 3; part += 1) yield `${part} ${TEXT}`;
  });
  for (const [encoding, sentAs] of [
    ["gzip, deflate, br", "gzip"],
    ["gzip;q=0, br", null],
  ] as const) {
    const got = await fetch(url, { headers: { "accept-encoding": encoding } });
    expect(await got.text(), encoding).toBe([0, 1, 2].map((part) => `${part} ${TEXT}`).join(""));
    expect(got.headers.get("content-encoding"), encoding).toBe(sentAs);
    expect(got.headers.get("vary")).toContain("accept-encoding");
  }
});

test("HEAD has the headers of what is sent in parts, of which none is made", async () => {
  let made = 0;
  const { url } = await serve(async function* () {
    made += 1;
    yield TEXT;
  });
  const { status, headers } = await fetch(url, { method: "HEAD" });
  expect([status, headers.get("x-robots-tag"), made]).toEqual([200, "noindex", 0]);
});

test("a first part that fails can still be refused, a later one ends the connection", async () => {
  const failing = async function* (after: number) {
    for (let part = 0; part < after; part += 1) yield TEXT;
    throw new Error("away");
  };
  const first = await serve(() => failing(0));
  expect((await fetch(first.url)).status).toBe(503);
  expect(first.refused).toEqual([new Error("away")]);
  const later = await serve(() => failing(2));
  const got = await fetch(later.url);
  expect(got.status).toBe(200);
  await expect(got.text()).rejects.toThrow();
  expect(later.refused).toEqual([new Error("away")]);
});

test("a client that goes away ends the making of parts, which is no failure", async () => {
  let ended: () => void = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { url, refused } = await serve(async function* () {
    try {
      for (;;) yield TEXT.repeat(20);
    } finally {
      ended();
    }
  });
  const { body } = await fetch(url, { headers: { "accept-encoding": "identity" } });
  const reader = body!.getReader();
  await reader.read();
  await reader.cancel();
  await end;
  await new Promise((resolve) => setImmediate(resolve));
  expect(refused).toEqual([]);
});
