import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { REUSABLE_HEADER } from "@octavo/shared/rest/not-modified";
import { takesGzip } from "@octavo/shared/rest/takes-gzip";
import { LRUCache } from "lru-cache";
import type { UpstreamName } from "./config.js";

/** A long body as it was sent, and the tag that stands for these bytes. */
export interface Reusable {
  /** The strong form of the tag, which names the body whether it is compressed or not. */
  etag: string;
  type: string;
  body: Buffer;
  isCompressed: boolean;
}

const MIB = 1024 * 1024;
/** Bytes of the longest body that is kept, as it was sent. */
const LONGEST = 4 * MIB;
/** Bytes that are written in one go. */
const PIECE = 64 * 1024;

/**
 * Creates what keeps long bodies whose tags stand for their bytes, the last one of each address for clients that take
 * compressed ones and for those that do not. Nothing is sent of them by itself: the service is asked each time, as the
 * caller, and says that the body which the caller gets has this tag; of the same caller's requests that come at once, it is
 * asked for all.
 */
export function createReusables(bytes = 64 * MIB) {
  const kept = new LRUCache<string, Reusable>({
    maxSize: bytes,
    sizeCalculation: ({ body }) => body.length,
  });
  const nameOf = (service: UpstreamName, req: IncomingMessage) => `${service} ${takesGzip(req)} ${req.url}`;

  return {
    /** What was kept of the address, for a request that may be sent it as it is. */
    find: (service: UpstreamName, req: IncomingMessage): Reusable | undefined =>
      req.method === "GET" && req.headers.range === undefined ? kept.get(nameOf(service, req)) : undefined,

    /** What keeps the body of a response, in the form in which it is sent, if it may be sent again; undefined if it may not. */
    keeper(
      service: UpstreamName,
      req: IncomingMessage,
      response: IncomingMessage,
      isCompressed: boolean,
    ): ((body: Buffer) => void) | undefined {
      const { etag, "content-type": type, ...others } = response.headers;
      if (response.statusCode !== 200 || req.method !== "GET" || others[REUSABLE_HEADER] === undefined)
        return undefined;
      if (etag === undefined || type === undefined || (etag.startsWith("W/") && !isCompressed))
        return undefined;
      if (others["content-encoding"] !== undefined && !isCompressed) return undefined;
      const name = nameOf(service, req);
      return (body) => kept.set(name, { etag: etag.replace(/^W\//, ""), type, body, isCompressed });
    },
  };
}

/** Hands a body of which all passes through here on to what keeps it, once all of it is there and if it is not too long. */
export function keepPassing(
  response: IncomingMessage,
  sent: Readable,
  keep: ((body: Buffer) => void) | undefined,
): void {
  if (!keep) return;
  const chunks: Buffer[] = [];
  let length = 0;
  sent.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= LONGEST) chunks.push(chunk);
    else chunks.length = 0;
  });
  sent.once("end", () => {
    if (response.complete && length <= LONGEST) keep(Buffer.concat(chunks));
  });
}

/**
 * Ends a response with a body that was kept: at once with one of a single piece, else a piece when it is its turn and the
 * client has read enough. Returns how to ask how much was written.
 */
export function endWith(res: ServerResponse, body: Buffer, next: (piece: () => void) => void): () => number {
  if (body.length <= PIECE) {
    res.end(body);
    return () => body.length;
  }
  let written = 0;
  const move = () => {
    if (res.destroyed) return;
    const piece = body.subarray(written, written + PIECE);
    written += piece.length;
    const takesMore = res.write(piece);
    if (written === body.length) res.end();
    else if (takesMore) next(move);
    else res.once("drain", () => next(move));
  };
  next(move);
  return () => written;
}
