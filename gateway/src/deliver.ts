import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gzip } from "node:zlib";
import { isKnownTag } from "@octavo/shared/rest/not-modified";
import { takesGzip } from "@octavo/shared/rest/takes-gzip";
import { compress, compression, isCompressible } from "./compress.js";
import { exchangeOf } from "./exchange.js";
import { type Flight, flightOf } from "./flight.js";
import { type Pace, watchReading } from "./pace.js";
import { createPieces, pump } from "./pump.js";
import type { Recent } from "./recent.js";
import { headersForClient } from "./response-headers.js";
import { createReusables, endWith, keepPassing } from "./reusable.js";

/** The response of a service, and how it goes to the client. */
interface Proxied {
  response: IncomingMessage;
  headers: string[];
  gzip: boolean;
  /** Keeps the body, in the form in which it is sent. */
  keep?: (body: Buffer) => void;
}

/** What sends the responses of services to clients. */
export interface Delivery {
  /** Tells the service by a tag which body is here already, so that it need not send that again. */
  offer(req: IncomingMessage): void;
  /** Whether a service says by a response that the client gets the body which is here, and the client does not have it. */
  isConfirmed(response: IncomingMessage, req: IncomingMessage): boolean;
  /** Sends the body that is here, which the service has confirmed for this client or for one that is sent the same. */
  sendConfirmed(confirmed: IncomingMessage, req: IncomingMessage, res: ServerResponse): void;
  /** Sends a response to the client, and gives the connection to the service back as soon as all of it is there. */
  send(response: IncomingMessage, req: IncomingMessage, res: ServerResponse): void;
}

/** Bytes up to which a response is sent in one piece with its headers. */
const SHORT = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Creates what sends responses; clients that read too slowly are cut off by the pace. While parties meet, none is sent as
 * much as it can take.
 */
export function createDelivery(pace: Pace, recent: Pick<Recent, "hasOthers">): Delivery {
  const reusables = createReusables();
  const pieces = createPieces(recent.hasOthers);

  /** Sends a short response in one piece, once all of it is there. */
  function sendWhole({ response, headers, gzip, keep }: Proxied, flight: Flight, res: ServerResponse) {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.once("end", () => {
      clearTimeout(flight.timer);
      flight.leave?.();
      if (flight.over || res.headersSent || !response.complete) return;
      const [first = NOTHING] = chunks;
      const whole = chunks.length > 1 ? Buffer.concat(chunks) : first;
      const body = gzip ? compress(whole) : whole;
      keep?.(body);
      if (gzip) headers.push("content-length", String(body.length));
      res.writeHead(response.statusCode!, headers);
      res.end(body);
      const unwatch = pace.watch({
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
  function stream({ response, headers, gzip, keep }: Proxied, flight: Flight, res: ServerResponse) {
    clearTimeout(flight.timer);
    res.writeHead(response.statusCode!, headers);
    let size = 0;
    watchReading(pace, res, () => size);
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
    });
    response.once("end", () => flight.leave?.());
    response.once("close", () => response.complete || res.destroy());
    const packed = gzip ? compression() : undefined;
    keepPassing(response, packed ?? response, keep);
    if (packed) sendPacked(packed, res);
    pump(response, packed ?? res, (piece) => pieces(flight.party, piece));
  }

  return {
    offer(req) {
      const flight = flightOf(req);
      const reusable = reusables.find(flight.service, req);
      if (!reusable) return;
      const known = req.headers["if-none-match"];
      Object.assign(flight, { reusable, known });
      req.headers["if-none-match"] = known === undefined ? reusable.etag : `${known}, ${reusable.etag}`;
    },

    isConfirmed({ statusCode, headers }, req) {
      const { reusable, known } = flightOf(req);
      return statusCode === 304 && reusable?.etag === headers.etag && !isKnownTag(known, reusable!.etag);
    },

    sendConfirmed(confirmed, req, res) {
      const flight = flightOf(req);
      clearTimeout(flight.timer);
      const { body, type, isCompressed } = flight.reusable!;
      const form = { mayVary: true, gzip: isCompressed };
      const headers = headersForClient(confirmed, exchangeOf(req).headers, form);
      headers.push("content-type", type, "content-length", String(body.length));
      res.writeHead(200, headers);
      watchReading(
        pace,
        res,
        endWith(res, body, (piece) => pieces(flight.party, piece)),
      );
    },

    send(response, req, res) {
      const flight = flightOf(req);
      const mayVary = isCompressible(response);
      const gzip = mayVary && req.method !== "HEAD" && takesGzip(req);
      const headers = headersForClient(response, exchangeOf(req).headers, { mayVary, gzip });
      const isCompressed = gzip || response.headers["content-encoding"] === "gzip";
      const keep = reusables.keeper(flight.service, req, response, isCompressed);
      const proxied = { response, headers, gzip, keep };
      if (isShort(response)) sendWhole(proxied, flight, res);
      else stream(proxied, flight, res);
    },
  };
}

/** Whether a response is sent in one piece: it is short, or a 304, which has no body. */
const isShort = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 304 || Number(headers["content-length"]) <= SHORT;

/** Sends what comes out of a compressor, which ends with the response. */
function sendPacked(packed: Gzip, res: ServerResponse) {
  packed.once("error", () => res.destroy());
  res.once("close", () => packed.destroy());
  packed.pipe(res);
}
