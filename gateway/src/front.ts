import type { IncomingMessage, ServerResponse } from "node:http";
import { isBearer, isIntegrationBearer } from "@octavo/shared/bearer";
import { partyOf } from "@octavo/shared/contracts/callers";
import { isReaderToken } from "@octavo/shared/reader-tokens";
import { SMALL_BODY } from "@octavo/shared/rest/body";
import { deprecationHeaders } from "@octavo/shared/rest/deprecation";
import { createTurns } from "@octavo/shared/turns";
import { type Bearers, bearerOf, type Place, type Principal, refuseBearer } from "./bearer.js";
import { checkBody, hasBody } from "./body.js";
import type { Collected, Collector } from "./collect.js";
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
  /** Counts requests to the public endpoints of integrations by the address that they come from. */
  visits: RateLimit;
  collector: Collector;
  /** Most bytes of a body, whatever a route declares. */
  bodyLimit: number;
  bodyTimes: BodyTimes;
}

/** Time in ms that a small body may take. */
export interface BodyTimes {
  /** Without a bearer. */
  open: number;
  bearer: number;
}

/** Questions about tokens at a time; each of them is a request to orgs or integrations. */
const QUESTIONS = 64;
/** Questions at a time of an address that tried too many unknown tokens. */
const SUSPECT_QUESTIONS = 8;

/**
 * A request's way to its service: route, bearer, limits, body, headers. The path has been found canonical.
 * Refusals are thrown.
 */
export function createFront(options: FrontOptions) {
  const { routes, bearers, proxy, reads, writes, failures, signIns, visits, collector, bodyTimes } = options;
  const questions = createTurns(QUESTIONS);
  const suspects = createTurns(SUSPECT_QUESTIONS);

  return async function front(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const exchange = exchangeOf(req);
    const { route, allow } = routes.match(req.method!, req.url!);
    if (!route) return sendOptions(req, res, allow);
    let identity: string | undefined;
    let party = networkOf(exchange.ip);
    if (route.auth !== "none") {
      const principal = await authenticate(req, exchange);
      countRequest(req, exchange, principal);
      identity = principal.identity;
      party = partyOf(principal.caller);
    } else if (route.limit) {
      const allowance = (route.limit === "visit" ? visits : signIns).take(party);
      if (allowance.exceeded) refuseRate("Address", allowance);
    }
    const limit = Math.min(options.bodyLimit, route.maxBody ?? SMALL_BODY);
    if (hasBody(req)) checkBody(req, limit, route);
    if (res.destroyed) return;
    if (req.headers.expect?.toLowerCase() === "100-continue") res.writeContinue();
    let body: Collected | undefined;
    if (hasBody(req)) {
      const withinMs = route.auth === "none" ? bodyTimes.open : bodyTimes.bearer;
      const collecting = collector.collect(req, { party, limit, withinMs });
      res.once("close", collecting.release);
      body = await collecting.body;
      if (!body || res.destroyed) return;
    }
    if (route.deprecated) exchange.headers.push(...deprecationHeaders(route.deprecated));
    req.headers = headersForService(req, identity, body);
    proxy.forward({ service: route.service, party, limit, body }, req, res);
  };

  /** Whether a token is known is decided before anybody is refused for what others of the address tried. */
  async function authenticate(req: IncomingMessage, { ip }: Exchange): Promise<Principal> {
    const token = bearerOf(req);
    const place = isIntegrationBearer(token) ? placeIn(req.url!) : undefined;
    const known = bearers.known(token, place);
    if (known) return known;
    if (!isBearer(token) && !isReaderToken(token)) refuseUnknown();
    const network = networkOf(ip);
    const principal = known === null ? undefined : await ask(req, { token, place }, network);
    if (principal) return principal;
    const exhausted = failures.exhausted(network);
    if (exhausted) refuseRate("Authorization", exhausted);
    failures.take(network);
    refuseUnknown();
  }

  /** Asks who holds a token when it is the address' turn, which comes later after many unknown ones. */
  async function ask(
    req: IncomingMessage,
    { token, place }: { token: string; place?: Place },
    network: string,
  ): Promise<Principal | undefined> {
    const turns = failures.exhausted(network) ? suspects : questions;
    let leave = () => {};
    await new Promise<void>((begin) => {
      leave = turns.enter(network, begin);
    });
    try {
      return req.destroyed ? undefined : await bearers.principal(token, place);
    } finally {
      leave();
    }
  }

  function countRequest(req: IncomingMessage, exchange: Exchange, { caller }: Principal): void {
    const reading = req.method === "GET" || req.method === "HEAD";
    const allowance = (reading ? reads : writes).take(caller.token);
    const { limit, remaining, reset, exceeded } = allowance;
    exchange.headers.push(
      "x-ratelimit-limit",
      String(limit),
      "x-ratelimit-remaining",
      String(remaining),
      "x-ratelimit-reset",
      String(reset),
    );
    if (exceeded) refuseRate("Token", allowance);
  }
}

/** The space or the site that a path names, as integrations decide for installations that work in some alone. */
function placeIn(url: string): Place | undefined {
  const [, space, site] =
    /^\/v1\/(?:spaces\/([^/?]{1,200})|orgs\/[^/?]+\/sites\/([^/?]{1,200}))/.exec(url) ?? [];
  return space === undefined && site === undefined ? undefined : { space, site };
}

function refuseUnknown(): never {
  refuseBearer("is not a valid token");
}

const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+){0,40}$/;
const USUAL_HEADERS = "Authorization, Content-Type, Accept, If-None-Match, X-Request-Id, Traceparent";

/** The verbs of a path; to a browser, also that it may use them from anywhere. */
export function sendOptions(req: IncomingMessage, res: ServerResponse, allow: string): void {
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
