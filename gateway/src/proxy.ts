import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline, Stream } from "node:stream";
import { Refusal } from "@octavo/shared/errors";
import { IDENTITY_CHANGED_HEADER } from "@octavo/shared/identity";
import { isKnownTag } from "@octavo/shared/rest/not-modified";
import { takesGzip } from "@octavo/shared/rest/takes-gzip";
import { createTurns } from "@octavo/shared/turns";
import { createProxyMiddleware } from "http-proxy-middleware";
import { createAbreast, type End } from "./abreast.js";
import { hasBody, lingerAfter, sizeRefusal } from "./body.js";
import { type Collected, lateRefusal } from "./collect.js";
import { compress, compression, isCompressible } from "./compress.js";
import type { UpstreamName, Upstreams } from "./config.js";
import { exchangeOf, sendError } from "./exchange.js";
import type { Pace } from "./pace.js";
import { createPieces, pump } from "./pump.js";
import { headersForClient } from "./response-headers.js";
import { createReusables, endWith, type Reusable } from "./reusable.js";

interface Flight {
  retried: boolean;
  /** The gateway has responded itself; what the service still sends is dropped. */
  over: boolean;
  limit: number;
  service: UpstreamName;
  party: string;
  /** A body that may be what the service would send, and the tags that the client itself has. */
  reusable?: Reusable;
  known?: string;
  /** What was read of the body before. */
  body?: Collected;
  timer?: NodeJS.Timeout;
  request?: ClientRequest;
  /** Says that the service works on it no more. */
  end?: End;
  /** Gives the connection to the service back. */
  leave?: () => void;
}

/** A request on its way to a service. */
export interface Way {
  service: UpstreamName;
  /** Who shares the connections to the service with others. */
  party: string;
  /** Most bytes of the body. */
  limit: number;
  body?: Collected;
}

interface ProxyOptions {
  upstreams: Upstreams;
  /** Time in ms from the end of the request to the beginning of the response. */
  timeoutMs: number;
  /** Connections to one service. */
  connections: number;
  /** Milliseconds that a request waits for others of its party while another party is there; a second by default. */
  abreastMs?: number;
  pace: Pace;
  onFailure: (error: Error, req: IncomingMessage, service: string) => void;
  /** A service reports that what is cached for these users or tokens is out of date; called before its response is sent. */
  onIdentityChange: (ids: ReadonlySet<string>) => void;
}

export interface Forwarder {
  /**
   * Sends the request, with the headers it now has, to the service when it is the party's turn, and streams the response back.
   */
  forward(way: Way, req: IncomingMessage, res: ServerResponse): void;
  close(): void;
}

const FLIGHT = Symbol("flight");
type Flying = IncomingMessage & { [FLIGHT]?: Flight };

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNABORTED",
]);
const RESET = new Set(["ECONNRESET", "EPIPE"]);

/** Bytes up to which a response is sent in one piece with its headers. */
const SHORT = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** Stands where the proxy pipes the request: bodies are sent apart, most of them in one piece with the headers. */
class NothingToPipe extends Stream {
  override pipe<To extends NodeJS.WritableStream>(request: To): To {
    return request;
  }
}

/** The response of a service, and how it goes to the client. */
interface ProxiedResponse {
  response: IncomingMessage;
  headers: string[];
  gzip: boolean;
}

/** Fewest bytes of a body, and of a response that its reader lets wait, between two looks. */
const LEAST_SENT = 128 * 1024;
const LEAST_READ = 16 * 1024;

export function createProxy(options: ProxyOptions): Forwarder {
  const agents: Agent[] = [];
  const reusables = createReusables();
  const pieces = createPieces();
  const services = Object.fromEntries(
    Object.entries(options.upstreams).map(([service, base]) => [
      service,
      upstream(service as UpstreamName, base),
    ]),
  ) as Record<UpstreamName, (way: Way, req: IncomingMessage, res: ServerResponse) => void>;

  function upstream(service: UpstreamName, base: string) {
    const { protocol, hostname, port } = new URL(base);
    const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: "lifo" });
    agents.push(agent);
    const turns = createTurns(options.connections);
    const abreast = createAbreast({ waitMs: options.abreastMs });
    const over = (agent: Agent | false) =>
      createProxyMiddleware<IncomingMessage, ServerResponse>({
        target: { protocol, host: hostname.replace(/^\[|\]$/g, ""), port },
        agent,
        selfHandleResponse: true,
        buffer: new NothingToPipe(),
        ejectPlugins: true,
        plugins: [
          (proxy) => {
            proxy.on("proxyReq", (request, req, res) => began(request, req, res));
            proxy.on("proxyRes", (response, req, res) => onResponse(response, req, res));
            proxy.on("error", (error, req, res) => req && failed(error, req, res as ServerResponse));
          },
        ],
      });
    const send = over(agent);
    // A service that ends takes all kept connections with it: only a new one shows whether it is there.
    const sendAnew = over(false);

    function failed(error: NodeJS.ErrnoException, req: IncomingMessage, res: ServerResponse) {
      const flight = (req as Flying)[FLIGHT]!;
      clearTimeout(flight.timer);
      if (flight.over || res.destroyed) return;
      const repeatable = (req.method === "GET" || req.method === "HEAD") && !hasBody(req);
      if (repeatable && !flight.retried && !res.headersSent && RESET.has(error.code ?? "")) {
        flight.retried = true;
        arm(flight, req, res);
        sendAnew(req, res);
        return;
      }
      flight.over = true;
      options.onFailure(error, req, service);
      sendError(req, res, refusalOf(error));
      lingerAfter(req);
    }

    function arm(flight: Flight, req: IncomingMessage, res: ServerResponse) {
      clearTimeout(flight.timer);
      flight.timer = setTimeout(() => {
        if (flight.over || res.headersSent) return;
        flight.over = true;
        flight.request?.destroy();
        options.onFailure(new Error("No response in time"), req, service);
        sendError(req, res, timeout());
      }, options.timeoutMs);
    }

    return ({ party, limit, body }: Way, req: IncomingMessage, res: ServerResponse) => {
      const flight: Flight = { retried: false, over: false, limit, service, party, body };
      (req as Flying)[FLIGHT] = flight;
      offerReusable(flight, req);
      arm(flight, req, res);
      const begin = () => {
        flight.leave = turns.enter(party, () => {
          if (flight.over || res.destroyed) return;
          if (body && !body.whole) {
            clearTimeout(flight.timer);
            req.once("end", () => flight.over || arm(flight, req, res));
          }
          send(req, res);
        });
      };
      // A service works on nothing of a body that is still on its way.
      if (body && !body.whole) begin();
      else flight.end = abreast.enter(party, begin);
      res.once("close", () => {
        clearTimeout(flight.timer);
        flight.end?.("gone");
        flight.leave?.();
        if (!res.writableFinished) flight.request?.destroy();
      });
    };
  }

  /** The connection is there: what was read of the body goes first, and what still comes is counted. */
  function began(request: ClientRequest, req: IncomingMessage, res: ServerResponse) {
    const flight = (req as Flying)[FLIGHT]!;
    const { body } = flight;
    flight.request = request;
    if (flight.over || res.destroyed) return void request.destroy();
    if (!body || body.whole) return void request.end(body?.bytes);
    request.write(body.bytes);
    req.pipe(request);
    let size = body.bytes.length;
    const stop = (refusal: Refusal) => {
      if (flight.over || res.headersSent) return;
      flight.over = true;
      req.unpipe(request);
      request.destroy();
      sendError(req, res, refusal);
      lingerAfter(req);
    };
    const unwatch = options.pace.watch({
      passed: () => size,
      waitsForClient: () => !request.writableNeedDrain,
      least: LEAST_SENT,
      onSlow: () => stop(lateRefusal()),
    });
    req.once("end", unwatch);
    res.once("close", unwatch);
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > flight.limit) stop(sizeRefusal(flight.limit));
    });
  }

  /** Tells the service which body is here already. */
  function offerReusable(flight: Flight, req: IncomingMessage) {
    const reusable = reusables.find(flight.service, req);
    if (!reusable) return;
    const known = req.headers["if-none-match"];
    Object.assign(flight, { reusable, known });
    req.headers["if-none-match"] = known === undefined ? reusable.etag : `${known}, ${reusable.etag}`;
  }

  function onResponse(response: IncomingMessage, req: IncomingMessage, res: ServerResponse) {
    const flight = (req as Flying)[FLIGHT]!;
    flight.end?.("responded");
    const changed = response.headers[IDENTITY_CHANGED_HEADER];
    if (typeof changed === "string") options.onIdentityChange(new Set(changed.split(",")));
    if (flight.over || res.headersSent) return void response.destroy();
    // A service that responds before the body's end reads no more of it, and its connection takes no more.
    res.once("finish", () => {
      if (flight.request) req.unpipe(flight.request);
      lingerAfter(req);
    });
    if (isReused(response, flight)) return sendReusable(response, flight, req, res);
    const mayVary = isCompressible(response);
    const gzip = mayVary && req.method !== "HEAD" && takesGzip(req);
    const headers = headersForClient(response, exchangeOf(req).headers, { mayVary, gzip });
    if (Number(response.headers["content-length"]) <= SHORT)
      sendWhole({ response, headers, gzip }, flight, res);
    else stream({ response, headers, gzip }, flight, req, res);
  }

  /** Sends a body that was kept, which the service would have sent as well. */
  function sendReusable(
    response: IncomingMessage,
    flight: Flight,
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    clearTimeout(flight.timer);
    response.once("end", () => flight.leave?.());
    response.resume();
    const { body, type, isCompressed } = flight.reusable!;
    const form = { mayVary: true, gzip: isCompressed };
    const headers = headersForClient(response, exchangeOf(req).headers, form);
    headers.push("content-type", type, "content-length", String(body.length));
    res.writeHead(200, headers);
    const unwatch = options.pace.watch({
      passed: endWith(res, body, (piece) => pieces(flight.party, piece)),
      waitsForClient: () => res.writableNeedDrain,
      least: LEAST_READ,
      onSlow: () => res.destroy(),
    });
    res.once("close", unwatch);
  }

  /** Sends a short response in one piece, once all of it is there. */
  function sendWhole({ response, headers, gzip }: ProxiedResponse, flight: Flight, res: ServerResponse) {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.once("end", () => {
      clearTimeout(flight.timer);
      flight.leave?.();
      if (flight.over || res.headersSent || !response.complete) return;
      const [first = NOTHING] = chunks;
      const whole = chunks.length > 1 ? Buffer.concat(chunks) : first;
      const body = gzip ? compress(whole) : whole;
      if (gzip) headers.push("content-length", String(body.length));
      res.writeHead(response.statusCode!, headers);
      res.end(body);
      const unwatch = options.pace.watch({
        passed: () => 0,
        waitsForClient: () => !res.writableFinished,
        least: 1,
        onSlow: () => res.destroy(),
      });
      res.once("close", unwatch);
    });
    response.once("close", () => response.complete || res.destroy());
  }

  /** Streams a long response, in pieces that wait for those of other parties. */
  function stream(
    { response, headers, gzip }: ProxiedResponse,
    flight: Flight,
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    clearTimeout(flight.timer);
    res.writeHead(response.statusCode!, headers);
    let size = 0;
    const unwatch = options.pace.watch({
      passed: () => size,
      waitsForClient: () => res.writableNeedDrain,
      least: LEAST_READ,
      onSlow: () => res.destroy(),
    });
    res.once("close", unwatch);
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
    });
    response.once("end", () => flight.leave?.());
    response.once("close", () => response.complete || res.destroy());
    const packed = gzip ? compression() : undefined;
    const isCompressed = gzip || response.headers["content-encoding"] === "gzip";
    reusables.keep(flight.service, req, response, { bytes: packed ?? response, isCompressed });
    if (packed) pipeline(packed, res, () => {});
    pump(response, packed ?? res, (piece) => pieces(flight.party, piece));
  }

  return {
    forward: (way, req, res) => services[way.service](way, req, res),
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** Whether a service says that the client gets the body which is here, and the client does not have it. */
const isReused = ({ statusCode, headers }: IncomingMessage, { reusable, known }: Flight): boolean =>
  statusCode === 304 && reusable?.etag === headers.etag && !isKnownTag(known, reusable!.etag);

function refusalOf({ code = "" }: NodeJS.ErrnoException): Refusal {
  if (UNREACHABLE.has(code)) {
    return new Refusal("SERVICE_UNAVAILABLE", "Service: is not reachable", {
      headers: { "retry-after": "1" },
    });
  }
  if (code === "ETIMEDOUT") return timeout();
  return new Refusal("BAD_GATEWAY", "Service: broke off its response");
}

function timeout(): Refusal {
  return new Refusal("GATEWAY_TIMEOUT", "Service: did not respond in time");
}
