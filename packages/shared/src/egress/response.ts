import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Deadline } from "./deadline.js";
import { EgressError, shown } from "./error.js";
import type { Hop } from "./redirect.js";

export interface EgressResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Where the response came from after redirects, without credentials. */
  url: string;
  /** The decompressed body; fails with EgressError beyond the byte or time limit. */
  body: Readable;
  bytes(): Promise<Buffer>;
  text(): Promise<string>;
  /** Parses the body as JSON; `egress_failed` if it is none. */
  json(): Promise<unknown>;
  /** Drops the body and the connection. */
  close(): void;
}

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Wraps a response so that its body is decompressed, counted, and cut at the byte limit or the deadline. */
export function limitedResponse(
  response: IncomingMessage,
  hop: Hop,
  maxBytes: number,
  total: Deadline,
): EgressResponse {
  const { statusCode: status = 0, headers } = response;
  const tooLarge = () =>
    new EgressError("egress_too_large", `${shown(hop.url)}: more than ${maxBytes} bytes`);
  const empty = hop.method === "HEAD" || status === 204 || status === 304;
  if (!empty && Number(headers["content-length"] ?? 0) > maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  let size = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(tooLarge());
      else done(null, chunk);
    },
  });
  const decoder = empty ? undefined : DECODERS[headers["content-encoding"]?.toLowerCase() ?? ""];
  const chain = decoder ? [response, decoder(), counter] : [response, counter];
  const body = Readable.from(read(counter, hop, total), { objectMode: false });
  body.once("close", () => counter.destroy());
  const expire = () => counter.destroy(total.signal.reason);
  total.signal.addEventListener("abort", expire, { once: true });
  pipeline(chain as [IncomingMessage, Transform], () => total.stop());
  if (total.signal.aborted) expire();

  async function bytes(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  const text = async () => (await bytes()).toString("utf8");
  async function json(): Promise<unknown> {
    const source = await text();
    try {
      return JSON.parse(source);
    } catch {
      throw new EgressError("egress_failed", `${shown(hop.url)}: did not respond with JSON`);
    }
  }
  const close = () => void counter.destroy();
  return { status, headers, url: hop.url.href, body, bytes, text, json, close };
}

/** Translates what the connection or the decoder throws. */
async function* read(source: Readable, hop: Hop, total: Deadline): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) yield chunk;
  } catch (error) {
    if (error instanceof EgressError) throw error;
    if (total.signal.aborted) throw total.signal.reason;
    throw new EgressError("egress_failed", `${shown(hop.url)}: the response broke off`);
  }
}
