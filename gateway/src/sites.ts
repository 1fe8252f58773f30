import { Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { refuse } from "@octavo/shared/errors";
import { createProxyMiddleware } from "http-proxy-middleware";
import { hasBody } from "./body.js";
import { exchangeOf } from "./exchange.js";

/** Passes what people read of published sites to the reader. */
export interface Sites {
  /** Whether a path, which has been found canonical, is one of a site. */
  has(path: string): boolean;
  /** Sends the request to the reader, and its response back as it is. */
  forward(req: IncomingMessage, res: ServerResponse): void;
  close(): void;
}

interface SitesOptions {
  /** Where the reader is. */
  reader: string;
  /** Time in ms from the request to the beginning of the response. */
  timeoutMs: number;
  onFailure: (error: Error, req: IncomingMessage) => void;
}

/** What the reader hears of a request: what decides about a page, and nothing that speaks for somebody at the API. */
const HANDED_ON = ["accept", "accept-encoding", "accept-language", "cookie", "if-none-match", "user-agent"];
const CONNECTIONS = 256;

/**
 * A way of its own: what the reader sends is for browsers, and brings its own policy, so none of the headers of the API are
 * added. Only reads go this way.
 */
export function createSites({ reader, timeoutMs, onFailure }: SitesOptions): Sites {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    maxFreeSockets: 64,
    scheduling: "lifo",
  });
  const send = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: reader,
    agent,
    proxyTimeout: timeoutMs,
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on("error", (error, req, res) => {
          onFailure(error, req);
          sendAway(res as ServerResponse);
        });
      },
    ],
  });
  return {
    has: (path) => path.startsWith("/sites/"),
    forward(req, res) {
      if (req.method !== "GET" && req.method !== "HEAD")
        refuse("METHOD_NOT_SUPPORTED", `Method: ${req.method} is not supported here`, {
          headers: { allow: "GET, HEAD" },
        });
      // Nothing of it may reach a connection that others read from: its framing is not handed on.
      if (hasBody(req)) refuse("BAD_REQUEST", "Body: a read has none", { reason: "invalid_framing" });
      const { requestId } = exchangeOf(req);
      const kept = HANDED_ON.flatMap((name) =>
        req.headers[name] === undefined ? [] : [[name, req.headers[name]]],
      );
      req.headers = { ...Object.fromEntries(kept), "x-request-id": requestId };
      void send(req, res);
    },
    close: () => agent.destroy(),
  };
}

/** What somebody is told who comes while the reader is away. */
function sendAway(res: ServerResponse): void {
  if (res.headersSent) return void res.destroy();
  const text = "This site cannot be read at the moment. Please try again in a minute.\n";
  res.writeHead(503, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "retry-after": "5",
    "x-content-type-options": "nosniff",
  });
  res.end(text);
}
