// What is sent to a site: what readers think of a page, and what programs ask.

import type { IncomingMessage } from "node:http";
import type { Mount } from "./mounts.js";

const MAX_BYTES = 64 * 1024;

/** Paths that take something. */
export const acceptsPost = (path: string): boolean =>
  /\/~(?:octavo\/(?:feedback|mcp)|gitbook\/mcp)$/.test(path);

/**
 * Whether a browser says that another site made it send a request. Such a request proves nothing of its visitor, and what
 * is no browser says nothing of this kind.
 */
export function isCrossSite({ headers }: IncomingMessage, { origin }: Mount): boolean {
  const from = headers["sec-fetch-site"];
  if (from !== undefined) return from !== "same-origin" && from !== "none";
  return headers.origin !== undefined && headers.origin !== origin;
}

/**
 * Returns what reads the body of a request, undefined when that is longer than 64 kB. It reads once and returns the same
 * from then on: a request may be served a second time.
 */
export function bodyReader(req: IncomingMessage): () => Promise<string | undefined> {
  let body: Promise<string | undefined> | undefined;
  return () => {
    body ??= bodyFrom(req);
    return body;
  };
}

async function bodyFrom(req: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    // The rest is read as well: otherwise nothing that follows on the connection would be.
    if (size <= MAX_BYTES) parts.push(part);
  }
  return size > MAX_BYTES ? undefined : Buffer.concat(parts).toString();
}
