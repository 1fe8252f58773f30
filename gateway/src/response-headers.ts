import type { IncomingMessage } from "node:http";
import { DEFAULT_HEADERS, STANDING_HEADERS } from "./exchange.js";
import { namedByConnection } from "./forwarded-headers.js";

/** Hop-by-hop, or the gateway's own business. */
const KEPT_BACK =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|x-powered-by|x-request-id|x-octavo-.*|x-internal-.*|access-control-.*|x-content-type-options|referrer-policy|cross-origin-resource-policy)$/i;

/**
 * Returns the headers of a service's response for the client, as names and values in turns, after `own` and those of every
 * response. A response whose form depends on the client varies by it, and its compressed form has a weak tag.
 */
export function headersForClient(
  { rawHeaders: raw, headers: known }: IncomingMessage,
  own: string[],
  { mayVary, gzip }: { mayVary: boolean; gzip: boolean },
): string[] {
  const dropped = namedByConnection(known.connection);
  const headers = [...STANDING_HEADERS, ...own];
  let policy = false;
  let caching = false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!;
    if (KEPT_BACK.test(name) || dropped?.has(name.toLowerCase())) continue;
    if (name.length === 13 && name.toLowerCase() === "cache-control") caching = true;
    else if (name.length === 23 && name.toLowerCase() === "content-security-policy") policy = true;
    if (gzip && name.length === 14 && name.toLowerCase() === "content-length") continue;
    const isStrongTag =
      gzip && name.length === 4 && name.toLowerCase() === "etag" && raw[index + 1]![0] === '"';
    headers.push(name, isStrongTag ? `W/${raw[index + 1]!}` : raw[index + 1]!);
  }
  if (gzip) headers.push("content-encoding", "gzip");
  if (mayVary) headers.push("vary", "accept-encoding");
  if (!policy) headers.push("content-security-policy", DEFAULT_HEADERS["content-security-policy"]!);
  if (!caching) headers.push("cache-control", DEFAULT_HEADERS["cache-control"]!);
  return headers;
}
