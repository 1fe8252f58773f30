import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { readUrl } from "../read-url.js";
import { createAddressRule } from "./address.js";
import { type Deadline, startDeadline } from "./deadline.js";
import { EgressError, shown } from "./error.js";
import { type Hop, nextHop } from "./redirect.js";
import { type EgressResponse, limitedResponse } from "./response.js";

export { EgressError, type EgressReason } from "./error.js";
export type { EgressResponse } from "./response.js";

export interface EgressRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Limit for all of it, the body and every redirect included; 30 s. */
  timeoutMs?: number;
  /** Limit for resolving and connecting, per hop; 5 s. */
  connectMs?: number;
  /** Limit from the connection to the response's headers, per hop; 15 s. */
  headersMs?: number;
  /** Limit of the body after decompression; 10 MiB. */
  maxBytes?: number;
  /** How many redirects are followed; 5. With 0 the redirect itself is returned. */
  maxRedirects?: number;
  signal?: AbortSignal;
}

export interface EgressTarget {
  /** The address without credentials. */
  url: URL;
  /** The classified IP address that a connection must go to. */
  address: string;
  family: 4 | 6;
}

export interface Egress {
  /** Sends a request to an address that a user named; throws EgressError, or the signal's reason. */
  fetch(url: string | URL, request?: EgressRequest): Promise<EgressResponse>;
  /** Classifies an address for a program that connects by itself, such as git. */
  resolve(url: string | URL): Promise<EgressTarget>;
}

type Lookup = (host: string) => Promise<LookupAddress[]>;

/** The one way out for addresses that users name. `allow` are CIDRs that are reachable besides public addresses. */
export function createEgress(options: { allow?: readonly string[]; lookup?: Lookup } = {}): Egress {
  const reachable = createAddressRule(options.allow ?? []);
  const lookup: Lookup = options.lookup ?? ((host) => systemLookup(host, { all: true, verbatim: true }));

  /** All addresses of the host that may be reached; the connection is made to one of these and no other. */
  async function addressesOf(url: URL): Promise<LookupAddress[]> {
    const host = bareHost(url);
    const family = isIP(host);
    const found = family ? [{ address: host, family }] : await lookup(host).catch(() => []);
    const allowed = found.filter(({ address }) => reachable(address));
    if (allowed.length > 0) return allowed;
    // One error for both, or it would disclose which names exist in a private network.
    throw new EgressError(
      "egress_refused",
      `${shown(url)}: the host does not exist, or the address is not allowed`,
    );
  }

  async function resolve(input: string | URL): Promise<EgressTarget> {
    const url = parse(input);
    const deadline = startDeadline(5_000, undefined, () => tooSlow(url, "resolve"));
    try {
      const [first] = await deadline.race(addressesOf(url));
      return { url, address: first!.address, family: first!.family === 6 ? 6 : 4 };
    } finally {
      deadline.stop();
    }
  }

  async function send(hop: Hop, request: EgressRequest, total: Deadline): Promise<http.IncomingMessage> {
    const { connectMs = 5_000, headersMs = 15_000 } = request;
    const phase = startDeadline(connectMs, total.signal, () => tooSlow(hop.url, "connect"));
    try {
      const addresses = await phase.race(addressesOf(hop.url));
      return await exchange(hop, addresses, phase, () => {
        phase.restart(headersMs, () => tooSlow(hop.url, "respond"));
      });
    } finally {
      phase.stop();
    }
  }

  async function fetch(input: string | URL, request: EgressRequest = {}): Promise<EgressResponse> {
    const { timeoutMs = 30_000, maxBytes = 10 * 1024 * 1024, maxRedirects = 5 } = request;
    let hop: Hop = {
      url: parse(input),
      method: (request.method ?? "GET").toUpperCase(),
      headers: {
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "Octavo/1",
        ...lowerCase(request.headers),
      },
      body: request.body,
    };
    const total = startDeadline(timeoutMs, request.signal, () => tooSlow(hop.url, "finish"));
    try {
      for (let redirects = 0; ; redirects++) {
        const response = await send(hop, request, total);
        const next = maxRedirects > 0 ? nextHop(hop, response) : undefined;
        if (!next) return limitedResponse(response, hop, maxBytes, total);
        response.destroy();
        if (redirects >= maxRedirects)
          throw new EgressError("egress_failed", `${shown(hop.url)}: too many redirects`);
        hop = { ...next, url: parse(next.url) };
      }
    } catch (error) {
      total.stop();
      throw error;
    }
  }

  return { fetch, resolve };
}

/** Labels of a host name; one that begins with `-` or `+` would be an instruction to curl where it is paired with an address. */
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/;

/** Only http and https, and never with credentials: they are dropped before anything is sent or logged. */
function parse(input: string | URL): URL {
  const url = readUrl(String(input));
  if (!url) throw new EgressError("egress_refused", "The address is not a URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EgressError("egress_refused", "The address must start with http:// or https://");
  }
  if (!isIP(bareHost(url)) && !HOST_NAME.test(url.hostname)) {
    throw new EgressError("egress_refused", "The address must name a host, such as example.com");
  }
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

/** The host without the brackets of an IPv6 address. */
const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, "");

/** One request over a new connection to one of `addresses`. */
function exchange(hop: Hop, addresses: LookupAddress[], limit: Deadline, connected: () => void) {
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    const { url, method, headers, body } = hop;
    const secure = url.protocol === "https:";
    const outgoing = (secure ? https : http).request(url, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal: limit.signal,
      lookup: (_host, { all }, done) =>
        all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
    });
    outgoing.once("socket", (socket) => socket.once(secure ? "secureConnect" : "connect", connected));
    outgoing.once("response", resolve);
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      reject(
        limit.signal.aborted ? limit.signal.reason : new EgressError("egress_failed", failure(url, error)),
      ),
    );
    outgoing.end(body);
  });
}

/** Names the failure by its code alone; a message of the system may quote what was sent. */
function failure(url: URL, error: NodeJS.ErrnoException): string {
  return `${shown(url)}: the request failed (${error.code ?? "unknown"})`;
}

function tooSlow(url: URL, what: string): EgressError {
  return new EgressError("egress_timeout", `${shown(url)}: took too long to ${what}`);
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
