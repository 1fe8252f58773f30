import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { bodyOf, sizeOf } from "./bodies.js";
import { respond } from "./respond.js";

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
