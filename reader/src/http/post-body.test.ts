import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { bodyReader } from "./post-body.js";

// Cast: a stream is all that the body of a request is read from.
const requestOf = (...parts: string[]) =>
  Readable.from(parts.map((part) => Buffer.from(part))) as unknown as IncomingMessage;

test("a body is the same for whoever reads it a second time", async () => {
  const read = bodyReader(requestOf("rating=", "good"));
  expect(await read()).toBe("rating=good");
  expect(await read()).toBe("rating=good");
});

test("a body of more than 64 kB is none", async () => {
  expect(await bodyReader(requestOf("x".repeat(64 * 1024)))()).toHaveLength(64 * 1024);
  expect(await bodyReader(requestOf("x".repeat(64 * 1024), "x"))()).toBeUndefined();
});

test("what follows a body that is too long on the same connection is read", async () => {
  const server = createServer(async (req, res) => {
    const body = await bodyReader(req)();
    res.writeHead(body === undefined ? 413 : 200, { "content-length": 0 }).end();
  }).listen(0);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const post = (body: string, more = "") =>
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${more}content-length: ${body.length}\r\n\r\n${body}`);
  post("x".repeat(1024 * 1024));
  await once(socket, "readable");
  post("short", "connection: close\r\n");
  const statuses = (await text(socket)).match(/(?<=^HTTP\/1\.1 )\d+/gm);
  expect(statuses).toEqual(["413", "200"]);
});
