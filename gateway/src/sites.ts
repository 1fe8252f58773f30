import { Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { createTurns } from "@octavo/shared/turns";
import { createProxyMiddleware } from "http-proxy-middleware";
import { hasBody, lingerAfter } from "./body.js";
import { exchangeOf } from "./exchange.js";
import { type HostOwner, type Hosts, hostnameIn } from "./hosts.js";
import { networkOf, type RateLimit } from "./limits.js";
import type { Pace } from "./pace.js";

/** Passes what people read of published sites to the reader. */
export interface Sites {
  /**
   * Sends a request to the reader, and its response back as it is, when it is for a site; false when it is none. The
   * path has been found canonical. Sites have to be asked about a host that is not known.
   */
  serve(req: IncomingMessage, res: ServerResponse, path: string): boolean | Promise<boolean>;
  close(): void;
}

interface SitesOptions {
  /** Where the reader is. */
  reader: string;
  /** The public address of all sites. */
  base: string;
  hosts: Hosts;
  /** Counts requests by the address that they come from. */
  rate: RateLimit;
  /** Connections to the reader. */
  connections: number;
  /** Ends responses that a client does not take. */
  pace: Pace;
  /** Time in ms from the request to the beginning of the response. */
  timeoutMs: number;
  onFailure: (error: Error, req: IncomingMessage) => void;
}

/** What the reader hears of a request: what decides about a page, and nothing that speaks for somebody at the API. */
const HANDED_ON = [
  ...["accept", "accept-encoding", "accept-language", "cookie", "if-none-match", "if-range", "range"],
  "user-agent",
];
/** Fewest bytes of a response that its client lets wait, between two looks. */
const LEAST_READ = 16 * 1024;
/** Where the reader has the hosts that belong to one site each. The name decides, so that nothing is kept of another. */
const OF_HOSTS = "/~hosts/";

/**
 * A way of its own: what the reader sends is for browsers, and brings its own policy, so none of the headers of the API are
 * added. Only reads go this way. Requests are for a site below the path of all sites, and at every path of another host
 * than the platform's: on such a host there is no API.
 */
export function createSites(options: SitesOptions): Sites {
  const { reader, hosts, rate, connections, pace, timeoutMs, onFailure } = options;
  const folder = `${new URL(options.base).pathname.replace(/\/+$/, "")}/`;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    maxFreeSockets: 64,
    scheduling: "lifo",
  });
  const turns = createTurns(connections);
  const send = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: reader,
    agent,
    proxyTimeout: timeoutMs,
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on("proxyRes", (answer, _req, res) => {
          let size = 0;
          answer.on("data", (chunk: Buffer) => {
            size += chunk.length;
          });
          const unwatch = pace.watch({
            passed: () => size,
            waitsForClient: () => res.writableNeedDrain,
            least: LEAST_READ,
            onSlow: () => res.destroy(),
          });
          res.once("close", unwatch);
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
    const { exceeded, reset } = rate.take(party);
    if (exceeded) sendBusy(res, reset);
    else if (req.method !== "GET" && req.method !== "HEAD")
      sendText(res, 405, "Sites can only be read.\n", { allow: "GET, HEAD" });
    // Nothing of it may reach a connection that others read from: its framing is not handed on.
    else if (hasBody(req)) sendText(res, 400, "A read has no body.\n", { connection: "close" });
    else sendInTurn(req, res, target, party);
  }

  function sendInTurn(req: IncomingMessage, res: ServerResponse, target: string, party: string): void {
    const { requestId } = exchangeOf(req);
    const kept = HANDED_ON.flatMap((name) =>
      req.headers[name] === undefined ? [] : [[name, req.headers[name]]],
    );
    req.headers = { ...Object.fromEntries(kept), "x-request-id": requestId };
    req.url = target;
    const leave = turns.enter(party, () => {
      if (!res.destroyed) void send(req, res);
    });
    res.once("close", leave);
  }

  function serveFor(owner: HostOwner, req: IncomingMessage, res: ServerResponse, path: string): boolean {
    const isShared = owner === "sites" || (folder !== "/" && path.startsWith(folder));
    if (owner === "platform" && !isShared) return false;
    if (owner === "site") forward(req, res, OF_HOSTS + hostnameIn(req.headers.host) + req.url);
    else if (path.startsWith(OF_HOSTS)) sendText(res, 404, "Nothing is here.\n");
    else forward(req, res, req.url!);
    return true;
  }

  return {
    serve(req, res, path) {
      const hostname = hostnameIn(req.headers.host);
      const owner = hosts.known(hostname);
      if (owner) return serveFor(owner, req, res, path);
      return hosts.find(hostname, exchangeOf(req).ip).then((found) => serveFor(found, req, res, path));
    },
    close: () => agent.destroy(),
  };
}

/** What somebody is told who comes while the reader is away. */
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
