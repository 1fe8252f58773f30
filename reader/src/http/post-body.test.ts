import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
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
