import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { Stream } from "node:stream";
import { Refusal } from "@octavo/shared/errors";
import { IDENTITY_CHANGED_HEADER } from "@octavo/shared/identity";
import { createTurns } from "@octavo/shared/turns";
import { createProxyMiddleware } from "http-proxy-middleware";
import { createAbreast } from "./abreast.js";
import { hasBody, lingerAfter, sizeRefusal } from "./body.js";
import { type Collected, lateRefusal } from "./collect.js";
import type { UpstreamName, Upstreams } from "./config.js";
import { createConfirmations, nameOf } from "./confirmations.js";
import { createDelivery } from "./deliver.js";
import { sendError } from "./exchange.js";
import { type Flight, flightOf, takeOff } from "./flight.js";
import type { Pace } from "./pace.js";
import { createRecent } from "./recent.js";

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
  /** Milliseconds for which others of its party wait for a request while another party is there; a second by default. */
  countedMs?: number;
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

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNABORTED",
]);
const RESET = new Set(["ECONNRESET", "EPIPE"]);

/** Stands where the proxy pipes the request: bodies are sent apart, most of them in one piece with the headers. */
class NothingToPipe extends Stream {
  override pipe<To extends NodeJS.WritableStream>(request: To): To {
    return request;
  }
}

/** Fewest bytes of a body between two looks. */
const LEAST_SENT = 128 * 1024;

export function createProxy(options: ProxyOptions): Forwarder {
  const agents: Agent[] = [];
  const recent = createRecent();
  const delivery = createDelivery(options.pace, recent);
  const confirmations = createConfirmations();
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
    const abreast = createAbreast({ countedMs: options.countedMs });
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
      const flight = flightOf(req);
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
      const flight = takeOff(req, { limit, service, party, body });
      recent.note(party);
      delivery.offer(req);
      arm(flight, req, res);
      const isOver = () => flight.over || res.headersSent || res.destroyed;
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
      const ask = () => {
        if (isOver()) flight.ended?.("gone");
        else flight.end = abreast.enter(party, begin);
      };
      const sendConfirmed = (confirmed: IncomingMessage) => {
        if (!isOver()) delivery.sendConfirmed(confirmed, req, res);
      };
      // A service works on nothing of a body that is still on its way.
      if (body && !body.whole) begin();
      else if (!flight.reusable) ask();
      else flight.ended = confirmations.enter(nameOf(service, req), { ask, send: sendConfirmed });
      res.once("close", () => {
        clearTimeout(flight.timer);
        flight.ended?.("gone");
        flight.end?.("gone");
        flight.leave?.();
        if (!res.writableFinished) flight.request?.destroy();
      });
    };
  }

  /** The connection is there: what was read of the body goes first, and what still comes is counted. */
  function began(request: ClientRequest, req: IncomingMessage, res: ServerResponse) {
    const flight = flightOf(req);
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

  function onResponse(response: IncomingMessage, req: IncomingMessage, res: ServerResponse) {
    const flight = flightOf(req);
    flight.end?.("responded");
    const changed = response.headers[IDENTITY_CHANGED_HEADER];
    if (typeof changed === "string") options.onIdentityChange(new Set(changed.split(",")));
    if (flight.over || res.headersSent) return void response.destroy();
    // A service that responds before the body's end reads no more of it, and its connection takes no more.
    res.once("finish", () => {
      if (flight.request) req.unpipe(flight.request);
      lingerAfter(req);
    });
    if (!delivery.isConfirmed(response, req)) {
      flight.ended?.("otherwise");
      return delivery.send(response, req, res);
    }
    response.once("end", () => flight.leave?.());
    response.resume();
    delivery.sendConfirmed(response, req, res);
    flight.ended?.({ confirmed: response });
  }

  return {
    forward: (way, req, res) => services[way.service](way, req, res),
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

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
