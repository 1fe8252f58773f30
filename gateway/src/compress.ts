import type { IncomingMessage } from "node:http";
import { createGzip, gzipSync } from "node:zlib";

/** Fewer bytes are sent as they are: they fill one packet either way. */
const LEAST = 1_000;
/** Where time and size balance: higher levels take twice the time for a tenth of the size. */
const LEVEL = 1;
/** What is text: images, fonts and archives are compressed already, and events must not wait for each other. */
const TEXTS =
  /^(?:application\/(?:[\w.-]+\+)?(?:json|xml|yaml)|image\/svg\+xml|text\/(?!event-stream)[\w.+-]+)\s*(?:;|$)/i;

/**
 * Whether a response is sent compressed to those who take it: a text of more than 1 KB, whole, as the service made it. Its
 * form then depends on `Accept-Encoding`, for all clients.
 */
export function isCompressible({ statusCode, headers }: IncomingMessage): boolean {
  if (statusCode === 204 || statusCode === 206 || statusCode === 304) return false;
  if (headers["content-encoding"] !== undefined || headers["content-range"] !== undefined) return false;
  if (headers["cache-control"]?.includes("no-transform")) return false;
  const length = headers["content-length"];
  return (length === undefined || Number(length) >= LEAST) && TEXTS.test(headers["content-type"] ?? "");
}

/** A short body compressed at once: some 30 µs for 5 KB. */
export const compress = (body: Buffer): Buffer => gzipSync(body, { level: LEVEL });

/** Compresses a long body as it passes, on a thread of its own. */
export const compression = () => createGzip({ level: LEVEL });
