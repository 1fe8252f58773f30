import { randomFillSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { writeError } from "@octavo/shared/errors";
import { isRequestId, newId } from "@octavo/shared/ids";

const EXCHANGE = Symbol("exchange");
type Request = IncomingMessage & { [EXCHANGE]?: Exchange };

/** What the gateway knows about one request and its response. */
export interface Exchange {
  requestId: string;
  traceparent: string;
  /** Address of the client. */
  ip: string;
  /** Headers of the response that belong to this request alone, names and values in turn. */
  headers: string[];
}

const TRACE_PARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const EXPOSED = [
  "Location, Link, ETag, Retry-After, WWW-Authenticate, Content-Disposition, Deprecation, Sunset",
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
].join(", ");

/** On every response. A bearer API has no cookies, so every origin may ask, and none with credentials. */
export const STANDING_HEADERS: readonly string[] = [
  "access-control-allow-origin",
  "*",
  "access-control-expose-headers",
  EXPOSED,
  "x-content-type-options",
  "nosniff",
  "referrer-policy",
  "no-referrer",
  "cross-origin-resource-policy",
  "cross-origin",
];

/** On responses that do not bring their own: nothing that is returned may run, frame or stay in a shared cache. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "cache-control": "private, no-store",
};

/** Begins an exchange: takes a sane request id and trace from the client, or makes them. */
export function startExchange(req: IncomingMessage, trustedHops: number): Exchange {
  const { "x-request-id": id, traceparent } = req.headers;
  const requestId = isRequestId(id) ? id : newId();
  const exchange: Exchange = {
    requestId,
    traceparent: typeof traceparent === "string" && TRACE_PARENT.test(traceparent) ? traceparent : newTrace(),
    ip: addressOf(req, trustedHops),
    headers: ["x-request-id", requestId],
  };
  (req as Request)[EXCHANGE] = exchange;
  return exchange;
}

export function exchangeOf(req: IncomingMessage): Exchange {
  return (req as Request)[EXCHANGE] ?? startExchange(req, 0);
}

/** Responds with an error in the public shape and all headers of the exchange. */
export function sendError(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  const { requestId, headers } = exchangeOf(req);
  if (!res.headersSent) {
    setAll(res, STANDING_HEADERS);
    setAll(res, headers);
    for (const name in DEFAULT_HEADERS) res.setHeader(name, DEFAULT_HEADERS[name]!);
  }
  writeError(res, error, req, requestId);
}

/** Responds with JSON of the gateway's own. */
export function sendJson(req: IncomingMessage, res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  setAll(res, STANDING_HEADERS);
  setAll(res, exchangeOf(req).headers);
  res.writeHead(status, {
    ...DEFAULT_HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  res.end(req.method === "HEAD" ? undefined : text);
}

export function setAll(res: ServerResponse, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) res.setHeader(headers[index]!, headers[index + 1]!);
}

/** The socket's address, or what the nearest trusted proxies say: each of them appends the one it saw. */
function addressOf(req: IncomingMessage, trustedHops: number): string {
  const socket = (req.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const forwarded = req.headers["x-forwarded-for"];
  if (trustedHops === 0 || typeof forwarded !== "string") return socket;
  return forwarded.split(",").at(-trustedHops)?.trim() || socket;
}

const random = Buffer.alloc(24 * 256);
let used = random.length;

function newTrace(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const hex = random.toString("hex", used, used + 24);
  used += 24;
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}
