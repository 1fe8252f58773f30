import type { IncomingMessage, ServerResponse } from "node:http";
import { REUSABLE_HEADER } from "@octavo/shared/rest/not-modified";
import { LRUCache } from "lru-cache";
import { compress } from "./compress.js";
import type { UpstreamName } from "./config.js";

/** A long body that a service sent, and the tag that stands for these bytes. */
export interface Reusable {
  etag: string;
  type: string;
  body: Buffer;
  gzipped?: Buffer;
}

const MIB = 1024 * 1024;
/** Bytes of the longest body that is kept. */
const LONGEST = 4 * MIB;
/** Bytes that are written in one go. */
const PIECE = 64 * 1024;

/**
 * Creates what keeps long bodies whose tags are digests of their bytes, the last one of each address. Nothing is sent of
 * them by itself: the service is asked each time, as the caller, and says that the body which the caller gets has this tag.
 */
export function createReusables(bytes = 64 * MIB) {
  const kept = new LRUCache<string, Reusable>({
    maxSize: bytes,
    // With the compressed form.
    sizeCalculation: ({ body }) => Math.ceil(body.length * 1.25),
  });
  const nameOf = (service: UpstreamName, req: IncomingMessage) => `${service} ${req.url}`;

  return {
    /** What was kept of the address, for a request that may be sent it as it is. */
    find: (service: UpstreamName, req: IncomingMessage): Reusable | undefined =>
      req.method === "GET" && req.headers.range === undefined ? kept.get(nameOf(service, req)) : undefined,

    /** Keeps a response of which all passes through here, if it may be sent again. */
    keep(service: UpstreamName, req: IncomingMessage, response: IncomingMessage): void {
      const { etag, "content-type": type, "content-length": length, ...others } = response.headers;
      const isFit = response.statusCode === 200 && req.method === "GET" && etag?.startsWith('"');
      if (!isFit || others[REUSABLE_HEADER] === undefined || others["content-encoding"] !== undefined) return;
      if (type === undefined || !(Number(length) <= LONGEST)) return;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => {
        const body = Buffer.concat(chunks);
        if (response.complete && body.length === Number(length))
          kept.set(nameOf(service, req), { etag: etag!, type, body });
      });
    },
  };
}

/** The bytes of a kept body in the form that the client takes. */
export function formOf(kept: Reusable, gzip: boolean): Buffer {
  if (!gzip) return kept.body;
  kept.gzipped ??= compress(kept.body);
  return kept.gzipped;
}

/**
 * Ends a response with a long body, a piece when it is its turn and the client has read enough; returns how to ask how much
 * was written.
 */
export function endWith(res: ServerResponse, body: Buffer, next: (piece: () => void) => void): () => number {
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
