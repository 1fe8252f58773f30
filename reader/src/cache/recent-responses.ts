import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Body } from "../http/body.js";
import { hasTag, headersOf, tagOf, takesBrotli } from "../http/respond.js";

/** What was sent to somebody who proved nothing, and is for everybody. */
interface Sent {
  /** Weak: the body cache owns the bodies and bounds their memory. */
  body: WeakRef<Body>;
  /** Headers by whether the body is compressed and whether the client has it. */
  headers: string[][];
  cache: string;
  /** So long what sites said of the address is believed. */
  until: number;
}

const MAX_RESPONSES = 500;
const MAX_KEY_LENGTH = 512;

/**
 * Public pages as they were sent to the last one who asked for the same, for as long as what sites said is believed: whoever
 * asks meanwhile is sent the same bytes without looking at anything again.
 */
export function createRecentResponses(now = Date.now) {
  const kept = new LRUCache<string, Sent>({ max: MAX_RESPONSES });

  /** Sends what somebody else was sent for the same; false when nothing is known of it. */
  function send(req: IncomingMessage, res: ServerResponse): boolean {
    const key = keyOf(req);
    const sent = key === undefined ? undefined : kept.get(key);
    if (!sent || sent.until <= now()) return false;
    const body = sent.body.deref();
    if (!body) return false;
    const compressed = takesBrotli(req, body);
    const bytes = compressed ? body.brotli : body.bytes;
    if (!bytes) return false;
    const known = hasTag(req, tagOf(body, compressed));
    const kind = (compressed ? 2 : 0) + (known ? 1 : 0);
    const headers = sent.headers[kind] ?? flat(headersOf(body, sent.cache, { compressed, known }));
    sent.headers[kind] = headers;
    if (known) res.writeHead(304, headers).end();
    else res.writeHead(200, headers).end(bytes);
    return true;
  }

  return {
    send,
    /** Keeps what is sent to everybody who asks for the same. */
    keep(req: IncomingMessage, body: Body, cache: string, until: number): void {
      const key = keyOf(req);
      if (key !== undefined && body.status === 200)
        kept.set(key, { body: new WeakRef(body), cache, until, headers: [] });
    },
  };
}
export type RecentResponses = ReturnType<typeof createRecentResponses>;

/** What decides what is sent, of those who prove nothing; undefined for all others. */
function keyOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  if (method !== "GET" || headers.cookie !== undefined || headers.authorization !== undefined)
    return undefined;
  const { accept = "" } = headers;
  if (url.length + accept.length > MAX_KEY_LENGTH || /_token=|[?&]visitor\./.test(url)) return undefined;
  return `${accept}\n${url}`;
}

const flat = (headers: Record<string, string | number>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
