import { Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { Refusal } from "@octavo/shared/errors";
import { createTurns } from "@octavo/shared/turns";
import { createProxyMiddleware } from "http-proxy-middleware";
import { hasBody, lingerAfter } from "./body.js";
import type { Collector } from "./collect.js";
import { exchangeOf } from "./exchange.js";
import { type HostOwner, type Hosts, hostnameIn } from "./hosts.js";
import { networkOf, type RateLimit } from "./limits.js";
import { type Pace, watchReading } from "./pace.js";
import { isCanonical, pathOf, withSingleSlashes } from "./paths.js";
import { weightOf } from "./weights.js";

/** Passes what people read of published sites to the reader. */
export interface Sites {
  /**
   * Sends a request to the reader, and its response back as it is, when it is for a site; false when it is none. Sites have
   * to be asked about a host that is not known.
   */
  serve(req: IncomingMessage, res: ServerResponse): boolean | Promise<boolean>;
  close(): void;
}

interface SitesOptions {
  /** Where the reader is. */
  reader: string;
  /** The public address of all sites. */
  base: string;
  hosts: Hosts;
  /** Counts requests by the address that they come from, and by their weight. */
  rate: RateLimit;
  /** Connections to the reader. */
  connections: number;
  /** Ends responses that a client does not take. */
  pace: Pace;
  /** Reads what visitors send. */
  collector: Collector;
  /** Time in ms from the request to the beginning of the response. */
  timeoutMs: number;
  /** Time in ms after which an unused connection to the reader is closed, before the reader does so; 30 s by default. */
  idleMs?: number;
  onFailure: (error: Error, req: IncomingMessage) => void;
}

/** What is forwarded to the reader of a request: what decides about a page, and no credentials of the API. */
const HANDED_ON = [
  "accept",
  "accept-encoding",
  "accept-language",
  "cookie",
  "if-none-match",
  "if-range",
  "range",
  "user-agent",
];
/** Where visitors send something to: what they think of a page, and what programs ask of a site. */
const WRITTEN = /\/~(?:octavo\/feedback|(?:octavo|gitbook)\/mcp)(?:\?|$)/;
/** What is forwarded to the reader of these besides. */
const HANDED_ON_WRITTEN = [
  "content-type",
  "origin",
  "sec-fetch-site",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
];
/** A bearer that a site has signed for its visitor, and none of the interface. */
const VISITOR_BEARER = /^bearer [\w-]+\.[\w-]+\.[\w-]+$/i;
const MOST_WRITTEN = 64 * 1024;
const WRITTEN_WITHIN_MS = 10_000;
/** The reader closes unused connections after 65 s, and might do so while a request is on its way. */
const IDLE_MS = 30_000;
/** Where the reader has the hosts that belong to one site each. The name decides, so that nothing is kept of another. */
const OF_HOSTS = "/~hosts/";
/** A path at which the reader has nothing but its 404 page. */
const NOWHERE = "/";

/**
 * Creates the way to the reader. What it sends is for browsers and brings its own policy, so none of the headers of the API
 * are added. Only reads go this way, and what visitors say of a page or programs ask of a site. Requests are for a site below
 * the path of all sites, and at every path of another host than the platform's: on such a host there is no API.
 */
export function createSites(options: SitesOptions): Sites {
  const { reader, hosts, rate, connections, pace, collector, timeoutMs, onFailure } = options;
  const folder = `${new URL(options.base).pathname.replace(/\/+$/, "")}/`;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    maxFreeSockets: 64,
    scheduling: "lifo",
    timeout: options.idleMs ?? IDLE_MS,
  });
  const turns = createTurns(connections);
  const send = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: reader,
    agent,
    proxyTimeout: timeoutMs,
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on("proxyReq", (request, req) => {
          const bytes = (req as Writing)[BODY];
          if (bytes) request.end(bytes);
        });
        proxy.on("proxyRes", (response, _req, res) => {
          let size = 0;
          response.on("data", (chunk: Buffer) => {
            size += chunk.length;
          });
          watchReading(pace, res, () => size);
        });
        proxy.on("error", (error, req, res) => {
          onFailure(error, req);
          sendAway(res as ServerResponse);
        });
      },
    ],
  });

  /** Sends a request to the reader when it is the turn of the address that it comes from. */
  function forward(req: IncomingMessage, res: ServerResponse, target: string): void {
    const party = networkOf(exchangeOf(req).ip);
    const { exceeded, reset } = rate.take(party, { weight: weightOf(target) });
    if (exceeded) sendBusy(res, reset);
    else if (req.method === "POST" && WRITTEN.test(target))
      void write(req, res, target, party).catch((error: unknown) => sendRefusal(res, error));
    else if (req.method !== "GET" && req.method !== "HEAD")
      sendText(res, 405, "Sites can only be read.\n", { allow: "GET, HEAD" });
    // Nothing of it may reach a connection that others read from: its framing is not handed on.
    else if (hasBody(req)) sendText(res, 400, "A read has no body.\n", { connection: "close" });
    else sendInTurn(req, res, target, party);
  }

  /** Sends what a visitor wrote, once all of it is there. */
  async function write(req: IncomingMessage, res: ServerResponse, target: string, party: string) {
    const collecting = collector.collect(req, { party, limit: MOST_WRITTEN, withinMs: WRITTEN_WITHIN_MS });
    res.once("close", collecting.release);
    const body = await collecting.body;
    if (!body || res.destroyed) return;
    (req as Writing)[BODY] = body.bytes;
    const bearer = req.headers.authorization ?? "";
    sendInTurn(req, res, target, party, {
      ...keptOf(req, HANDED_ON_WRITTEN),
      ...(VISITOR_BEARER.test(bearer) && { authorization: bearer }),
      "content-length": String(body.bytes.length),
    });
  }

  function sendInTurn(
    req: IncomingMessage,
    res: ServerResponse,
    target: string,
    party: string,
    more = {},
  ): void {
    const { requestId } = exchangeOf(req);
    req.headers = { ...keptOf(req, HANDED_ON), ...more, "x-request-id": requestId };
    req.url = target;
    const leave = turns.enter(party, () => {
      if (!res.destroyed) void send(req, res);
    });
    res.once("close", leave);
  }

  /** Redirects a path with several slashes in a row to the one with single slashes; other non-canonical paths are 404. */
  function serveNonCanonical(req: IncomingMessage, res: ServerResponse, target: string): void {
    const location = withSingleSlashes(target);
    if (location === undefined) forward(req, res, NOWHERE);
    else sendText(res, 308, `This page is at ${location}\n`, { location });
  }

  function serveFor(owner: HostOwner, req: IncomingMessage, res: ServerResponse): boolean {
    const target = req.url!;
    const path = pathOf(target);
    const isShared = owner === "sites" || (folder !== "/" && path.startsWith(folder));
    if (owner === "platform" && !isShared) return false;
    if (!isCanonical(target)) serveNonCanonical(req, res, target);
    else if (owner === "site") forward(req, res, OF_HOSTS + hostnameIn(req.headers.host) + target);
    else if (path.startsWith(OF_HOSTS)) sendText(res, 404, "Nothing is here.\n");
    else forward(req, res, target);
    return true;
  }

  return {
    serve(req, res) {
      const hostname = hostnameIn(req.headers.host);
      const owner = hosts.known(hostname);
      if (owner) return serveFor(owner, req, res);
      return hosts.find(hostname, exchangeOf(req).ip).then((found) => serveFor(found, req, res));
    },
    close: () => agent.destroy(),
  };
}

const STATUSES = new Map<string, number>([
  ["TIMEOUT", 408],
  ["PAYLOAD_TOO_LARGE", 413],
  ["TOO_MANY_REQUESTS", 429],
]);

const BODY = Symbol("body");
type Writing = IncomingMessage & { [BODY]?: Buffer };

/** The headers of a request that have these names. */
const keptOf = ({ headers }: IncomingMessage, names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const])),
  );

function sendRefusal(res: ServerResponse, error: unknown): void {
  if (res.headersSent || res.destroyed) return void res.destroy();
  const status = (error instanceof Refusal && STATUSES.get(error.code)) || 500;
  sendText(res, status, "What was sent could not be read.\n", { connection: "close" });
}

/** The page that is served while the reader is unavailable. */
function sendAway(res: ServerResponse): void {
  if (res.headersSent) return void res.destroy();
  const text = "This site cannot be read at the moment. Please try again in a minute.\n";
  sendText(res, 503, text, { "retry-after": "5" });
}

function sendBusy(res: ServerResponse, reset: number): void {
  const seconds = Math.max(1, reset - Math.floor(Date.now() / 1000));
  const text = `Too many requests came from your address. Please try again in ${seconds} seconds.\n`;
  sendText(res, 429, text, { "retry-after": String(seconds) });
}

function sendText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  res.end(res.req.method === "HEAD" ? undefined : text);
  lingerAfter(res.req);
}
