import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { refuse } from "@octavo/shared/errors";
import { IDENTITY_HEADER } from "@octavo/shared/identity";
import { exchangeOf } from "./exchange.js";

/** Hop-by-hop, or replaced by the gateway, or of no concern to a service. */
const DROPPED = new Set([
  "authorization",
  "connection",
  "cookie",
  "expect",
  "forwarded",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "traceparent",
  "upgrade",
  "x-real-ip",
  "x-request-id",
]);
const FRAMING = new Set(["content-length", "content-type", "transfer-encoding"]);
/** What nearly every connection says; it names no header that is not dropped already. */
const COMMON = new Set(["keep-alive", "close"]);
const INTERNAL = /^x[-_](?:octavo|internal|forwarded)[-_]/;

/** 400 when a header that decides something is there twice; Node would silently keep the first. */
export function refuseRepeated({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++;
  }
  if (hosts !== 1) refuse("BAD_REQUEST", "Host: must be given once", { reason: "invalid_header" });
  if (authorizations > 1)
    refuse("BAD_REQUEST", "Authorization: must be given once", { reason: "invalid_header" });
}

/**
 * The headers that a service receives: the client's without anything internal, and the gateway's own. A body that is there
 * as a whole is forwarded with its length, however it arrived.
 */
export function headersForService(
  req: IncomingMessage,
  identity: string | undefined,
  body?: { bytes: Buffer; whole: boolean },
): IncomingHttpHeaders {
  const { requestId, traceparent, ip } = exchangeOf(req);
  const { headers } = req;
  const dropped = namedByConnection(headers.connection);
  const kept: IncomingHttpHeaders = {};
  for (const name in headers) {
    if (DROPPED.has(name) || dropped?.has(name)) continue;
    if (name.charCodeAt(0) === 120 && INTERNAL.test(name)) continue;
    kept[name] = headers[name];
  }
  if (body?.whole) {
    delete kept["transfer-encoding"];
    kept["content-length"] = String(body.bytes.length);
  }
  if (traceparent !== headers.traceparent) delete kept.tracestate;
  kept["x-request-id"] = requestId;
  kept.traceparent = traceparent;
  kept["x-forwarded-for"] = ip;
  kept["x-forwarded-proto"] = "encrypted" in req.socket ? "https" : "http";
  kept["x-forwarded-host"] = headers.host;
  if (identity !== undefined) kept[IDENTITY_HEADER] = identity;
  return kept;
}

/** What `Connection` declares to be meant for one hop only (RFC 9110 7.6.1); never the framing. */
export function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || COMMON.has(connection)) return;
  const names = connection
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  return new Set(names.filter((name) => !FRAMING.has(name)));
}
