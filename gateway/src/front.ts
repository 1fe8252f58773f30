import type { IncomingMessage, ServerResponse } from "node:http";
import { type Bearers, bearerOf, type Principal, refuseBearer } from "./bearer.js";
import { checkBody, hasBody } from "./body.js";
import { DEFAULT_HEADERS, type Exchange, exchangeOf, STANDING_HEADERS, setAll } from "./exchange.js";
import { headersForService } from "./forwarded-headers.js";
import { networkOf, type RateLimit, refuseRate } from "./limits.js";
import type { Forwarder } from "./proxy.js";
import type { RouteTable } from "./routes.js";

export interface FrontOptions {
  routes: RouteTable;
  bearers: Bearers;
  proxy: Forwarder;
  reads: RateLimit;
  writes: RateLimit;
  /** Counts unknown tokens by the address that tried them. */
  failures: RateLimit;
  /** Counts sign-ins by the address that they come from. */
  signIns: RateLimit;
  bodyLimit: number;
}

/**
 * A request's way to its service: route, bearer, limits, body, headers. The path has been found canonical.
 * Refusals are thrown.
 */
export function createFront(options: FrontOptions) {
  const { routes, bearers, proxy, reads, writes, failures, signIns, bodyLimit } = options;

  return async function front(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const exchange = exchangeOf(req);
    const { route, allow } = routes.match(req.method!, req.url!);
    if (!route) return answerOptions(req, res, allow);
    let identity: string | undefined;
    if (route.auth !== "none") {
      const principal = await authenticate(req, exchange);
      countRequest(req, exchange, principal);
      identity = principal.identity;
    } else if (route.limit === "address") {
      const allowance = signIns.take(networkOf(exchange.ip));
      if (allowance.exceeded) refuseRate("Address", allowance);
    }
    if (hasBody(req)) checkBody(req, bodyLimit, route.form);
    if (res.destroyed) return;
    if (req.headers.expect?.toLowerCase() === "100-continue") res.writeContinue();
    if (route.deprecated) exchange.headers.push("deprecation", "true");
    req.headers = headersForService(req, identity);
    proxy.forward(route.service, req, res);
  };

  async function authenticate(req: IncomingMessage, { ip }: Exchange): Promise<Principal> {
    const token = bearerOf(req);
    const known = bearers.known(token);
    if (known) return known;
    const network = networkOf(ip);
    const exhausted = failures.exhausted(network);
    if (exhausted) refuseRate("Authorization", exhausted);
    const principal = known === null ? undefined : await bearers.principal(token);
    if (principal) return principal;
    failures.take(network);
    refuseBearer("is not a valid token");
  }

  function countRequest(req: IncomingMessage, exchange: Exchange, { caller }: Principal): void {
    const reading = req.method === "GET" || req.method === "HEAD";
    const allowance = (reading ? reads : writes).take(caller.token);
    const { limit, remaining, reset, exceeded } = allowance;
    exchange.headers.push(
      ...["x-ratelimit-limit", String(limit)],
      ...["x-ratelimit-remaining", String(remaining)],
      ...["x-ratelimit-reset", String(reset)],
    );
    if (exceeded) refuseRate("Token", allowance);
  }
}

const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+){0,40}$/;
const USUAL_HEADERS = "Authorization, Content-Type, Accept, If-None-Match, X-Request-Id, Traceparent";

/** The verbs of a path; to a browser, also that it may use them from anywhere. */
export function answerOptions(req: IncomingMessage, res: ServerResponse, allow: string): void {
  const wanted = req.headers["access-control-request-headers"] ?? "";
  setAll(res, STANDING_HEADERS);
  setAll(res, exchangeOf(req).headers);
  res.writeHead(204, {
    ...DEFAULT_HEADERS,
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": HEADER_NAMES.test(wanted) ? wanted : USUAL_HEADERS,
    vary: "access-control-request-headers",
    "access-control-max-age": "86400",
  });
  res.end();
}
