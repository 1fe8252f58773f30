import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { withoutShareKeys } from "@octavo/shared/contracts/share-keys";
import { errorBody, refuse } from "@octavo/shared/errors";
import type { Logger } from "@octavo/shared/log";
import express, { type NextFunction } from "express";
import type { AppPages } from "./app-pages.js";
import { lingerAfter } from "./body.js";
import type { Upstreams } from "./config.js";
import { limitConnections } from "./connections.js";
import { exchangeOf, sendError, sendJson, startExchange } from "./exchange.js";
import { refuseRepeated } from "./forwarded-headers.js";
import { createFront, type FrontOptions, sendOptions } from "./front.js";
import { refuseMalformed } from "./malformed.js";
import { readPages } from "./pages.js";
import { canonicalPath } from "./paths.js";
import { sharedPrototypes } from "./prototypes.js";
import { readReadiness } from "./readiness.js";
import { createReference } from "./reference.js";
import type { Sites } from "./sites.js";

export interface GatewayOptions extends FrontOptions {
  upstreams: Upstreams;
  /** The public address of the platform. */
  base: string;
  /** The published sites, where they are shown by this gateway. */
  sites?: Sites;
  /** What `urls.app` leads to, where no other application is there. */
  appPages?: AppPages;
  /** What `GET /v1/` says. */
  information: { version: string; build: string };
  trustedHops: number;
  /** Most connections of one address. */
  connectionsPerAddress: number;
  log: Logger;
}

/** How long a connection may idle, headers and whole requests may take, and how often that is looked at, in ms. */
const TIMES = {
  keepAliveTimeout: 65_000,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
};

type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** The gateway's HTTP server, not yet listening. */
export function createGateway(options: GatewayOptions): Server {
  const { upstreams, sites, appPages, information, trustedHops, log } = options;
  const front = createFront(options);
  const verbose = log.isLevelEnabled("debug");
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").enable("strict routing");

  app.use((req: IncomingMessage, res: ServerResponse, next: NextFunction) => {
    const { requestId } = startExchange(req, trustedHops);
    if (verbose) logWhenDone(req, res, requestId, log);
    refuseRepeated(req);
    const goOn = () => {
      const path = canonicalPath(req.url!);
      if (path.startsWith("/v1/") && path.length > 4 && path !== "/v1/openapi.json") return front(req, res);
      if (appPages?.has(path)) return appPages.serve(req, res, path);
      next();
    };
    const served = sites?.serve(req, res) ?? false;
    if (typeof served === "boolean") return served ? undefined : goOn();
    return served.then((isServed) => (isServed ? undefined : goOn()));
  });
  const serve = (paths: string[], handler: Handler) => {
    app
      .route(paths)
      .get((req, res) => handler(req, res))
      .options((req, res) => sendOptions(req, res, "GET, HEAD, OPTIONS"))
      .all(({ method }) =>
        refuse("METHOD_NOT_SUPPORTED", `Method: ${method} is not supported here`, {
          headers: { allow: "GET, HEAD, OPTIONS" },
        }),
      );
  };
  serve(["/v1", "/v1/"], (req, res) => sendJson(req, res, 200, information));
  serve(["/v1/openapi.json"], createReference(upstreams, information.version));
  serve(["/livez"], (req, res) => sendJson(req, res, 200, { status: "ok" }));
  serve(["/readyz"], async (req, res) => {
    const { ready, services } = await readReadiness(upstreams);
    sendJson(req, res, ready ? 200 : 503, { status: ready ? "ok" : "not ready", services });
  });
  for (const [paths, handler] of readPages(options.base)) serve(paths, handler);
  app.use(() => refuse("NOT_FOUND", "Path: not found"));
  app.use((error: unknown, req: IncomingMessage, res: ServerResponse, _next: NextFunction) => {
    const { requestId } = exchangeOf(req);
    const { status } = errorBody(error, requestId);
    if (status >= 500) log.error({ err: error, requestId }, "request failed");
    // A client that asked before sending its body now keeps it, and a late one may never send it: in vain to wait for.
    if (req.headers.expect !== undefined || status === 408) res.shouldKeepAlive = false;
    sendError(req, res, error);
    lingerAfter(req);
  });

  const server = createServer({ ...sharedPrototypes(app), requireHostHeader: false, ...TIMES }, app);
  limitConnections(server, trustedHops === 0 ? options.connectionsPerAddress : Number.POSITIVE_INFINITY);
  for (const event of ["checkContinue", "checkExpectation"])
    server.on(event, (req, res) => void server.emit("request", req, res));
  server.on("clientError", refuseMalformed);
  return server;
}

/** One line a request, without its query, which may hold a signature, and without the key of a share link. */
function logWhenDone(req: IncomingMessage, res: ServerResponse, requestId: string, log: Logger) {
  const [began, path] = [performance.now(), withoutShareKeys(req.url!.split("?", 1)[0]!)];
  res.once("close", () => {
    const ms = Math.round(performance.now() - began);
    log.debug({ method: req.method, path, status: res.statusCode, ms, requestId }, "request");
  });
}
