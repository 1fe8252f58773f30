import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { Refusal } from "@octavo/shared/errors";
import { IDENTITY_CHANGED_HEADER } from "@octavo/shared/identity";
import { createProxyMiddleware } from "http-proxy-middleware";
import { hasBody, lingerAfter, refuseSize } from "./body.js";
import type { UpstreamName, Upstreams } from "./config.js";
import { answerError, DEFAULT_HEADERS, exchangeOf, STANDING_HEADERS } from "./exchange.js";
import { namedByConnection } from "./forwarded-headers.js";

interface Flight {
  retried: boolean;
  /** Answered by the gateway itself; what the service still says is dropped. */
  over: boolean;
  timer?: NodeJS.Timeout;
  request?: ClientRequest;
}

interface ProxyOptions {
  upstreams: Upstreams;
  /** Time in ms from the end of the request to the beginning of the answer. */
  timeoutMs: number;
  bodyLimit: number;
  onFailure: (error: Error, req: IncomingMessage, service: string) => void;
  /** A service says that what is remembered about these users or tokens is out of date; called before its answer leaves. */
  onIdentityChange: (ids: ReadonlySet<string>) => void;
}

export interface Forwarder {
  /** Sends the request, with the headers it now has, to the service, and streams the answer back. */
  forward(service: UpstreamName, req: IncomingMessage, res: ServerResponse): void;
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

/** Hop-by-hop, or the gateway's own business. */
const KEPT_BACK =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|x-powered-by|x-request-id|x-octavo-.*|x-internal-.*|access-control-.*|x-content-type-options|referrer-policy|cross-origin-resource-policy)$/i;

export function createProxy(options: ProxyOptions): Forwarder {
  const agents: Agent[] = [];
  const services = Object.fromEntries(
    Object.entries(options.upstreams).map(([service, base]) => [service, upstream(service, base)]),
  ) as Record<UpstreamName, (req: IncomingMessage, res: ServerResponse) => unknown>;

  function upstream(service: string, base: string) {
    const { protocol, hostname, port } = new URL(base);
    const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64, scheduling: "lifo" });
    agents.push(agent);
    const over = (agent: Agent | false) =>
      createProxyMiddleware<IncomingMessage, ServerResponse>({
        target: { protocol, host: hostname.replace(/^\[|\]$/g, ""), port },
        agent,
        selfHandleResponse: true,
        ejectPlugins: true,
        plugins: [
          (proxy) => {
            proxy.on("proxyReq", (request, req, res) => began(request, req, res));
            proxy.on("proxyRes", (answer, req, res) => answered(answer, req, res));
            proxy.on("error", (error, req, res) => req && failed(error, req, res as ServerResponse));
          },
        ],
      });
    const send = over(agent);
    // A service that ends takes all kept connections with it: only a new one tells whether it is there.
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
      answerError(req, res, refusalOf(error));
      lingerAfter(req);
    }

    function arm(flight: Flight, req: IncomingMessage, res: ServerResponse) {
      clearTimeout(flight.timer);
      flight.timer = setTimeout(() => {
        if (flight.over || res.headersSent) return;
        flight.over = true;
        flight.request?.destroy();
        options.onFailure(new Error("No answer in time"), req, service);
        answerError(req, res, timeout());
      }, options.timeoutMs);
    }

    return (req: IncomingMessage, res: ServerResponse) => {
      const flight: Flight = { retried: false, over: false };
      (req as Flying)[FLIGHT] = flight;
      res.once("close", () => clearTimeout(flight.timer));
      if (hasBody(req)) req.once("end", () => flight.over || arm(flight, req, res));
      else arm(flight, req, res);
      send(req, res);
    };
  }

  /** The connection is there and the body about to flow: a body of unknown length is counted. */
  function began(request: ClientRequest, req: IncomingMessage, res: ServerResponse) {
    const flight = (req as Flying)[FLIGHT]!;
    flight.request = request;
    if (flight.over) return void request.destroy();
    if (req.headers["transfer-encoding"] === undefined) return;
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= options.bodyLimit || flight.over) return;
      flight.over = true;
      req.unpipe(request);
      request.destroy();
      try {
        refuseSize(options.bodyLimit);
      } catch (error) {
        answerError(req, res, error);
      }
      lingerAfter(req);
    });
  }

  function answered(answer: IncomingMessage, req: IncomingMessage, res: ServerResponse) {
    const flight = (req as Flying)[FLIGHT]!;
    clearTimeout(flight.timer);
    const changed = answer.headers[IDENTITY_CHANGED_HEADER];
    if (typeof changed === "string") options.onIdentityChange(new Set(changed.split(",")));
    if (flight.over || res.headersSent) return void answer.destroy();
    res.writeHead(answer.statusCode!, headersForClient(answer, exchangeOf(req).headers));
    answer.pipe(res);
  }

  return {
    forward: (service, req, res) => void services[service](req, res),
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

function headersForClient({ rawHeaders: raw, headers: known }: IncomingMessage, own: string[]): string[] {
  const named = namedByConnection(known.connection);
  const headers = [...STANDING_HEADERS, ...own];
  let policy = false;
  let caching = false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!;
    if (KEPT_BACK.test(name) || named?.has(name.toLowerCase())) continue;
    if (name.length === 13 && name.toLowerCase() === "cache-control") caching = true;
    else if (name.length === 23 && name.toLowerCase() === "content-security-policy") policy = true;
    headers.push(name, raw[index + 1]!);
  }
  if (!policy) headers.push("content-security-policy", DEFAULT_HEADERS["content-security-policy"]!);
  if (!caching) headers.push("cache-control", DEFAULT_HEADERS["cache-control"]!);
  return headers;
}

function refusalOf({ code = "" }: NodeJS.ErrnoException): Refusal {
  if (UNREACHABLE.has(code)) {
    return new Refusal("SERVICE_UNAVAILABLE", "Service: is not reachable", {
      headers: { "retry-after": "1" },
    });
  }
  if (code === "ETIMEDOUT") return timeout();
  return new Refusal("BAD_GATEWAY", "Service: broke off its answer");
}

function timeout(): Refusal {
  return new Refusal("GATEWAY_TIMEOUT", "Service: did not answer in time");
}
