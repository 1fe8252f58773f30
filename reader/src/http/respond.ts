import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, createGzip } from "node:zlib";
import { readUrl } from "@octavo/shared/read-url";
import type { Body } from "./body.js";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const quality = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } });
/** Brotli for what changes: a millisecond for a page. */
const FAST = quality(5);
/** For what never changes: a tenth smaller, for a hundred times as long. */
const BEST = quality(11);
const COMPRESSED = /^font\//;
/** An encoding among those that a client accepts, unless it says that it does not. */
const accepted = (name: string) =>
  new RegExp(`(?:^|[,\\s])${name}(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))\\s*(?:[,;]|$)`, "i");
const [BROTLI, GZIP] = [accepted("br"), accepted("gzip")];
/** Takes 128 kB for as long as a client reads, where brotli would take megabytes. */
const GZIP_OPTIONS = { windowBits: 14, memLevel: 7 };
/** What is smaller is sent as it is. */
const SMALL = 1_000;

/** Types that are parts of pages, and never shown by themselves. */
const PARTS = /^(?:font\/|text\/(?:css|javascript)\b)/;

/** On such parts: nothing is taken for another type than it has. */
const OF_PARTS = { "x-content-type-options": "nosniff" };

/** On everything else that the reader sends. */
export const STANDING: Readonly<Record<string, string>> = {
  ...OF_PARTS,
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

/** Whether a body is sent compressed to whoever asks. */
export const takesBrotli = ({ headers }: IncomingMessage, { length, type }: Body): boolean =>
  length > SMALL && !COMPRESSED.test(type) && BROTLI.test(String(headers["accept-encoding"] ?? ""));

/** The entity tag of a body, which is another one where it is compressed. */
export const tagOf = ({ etag }: Body, compressed: boolean): string =>
  compressed ? etag.replace(/"$/, '-br"') : etag;

/** The headers that a body is sent with, or those of a 304 where the client has it. */
export function headersOf(
  body: Body,
  cache: string,
  { compressed, known }: { compressed: boolean; known: boolean },
): Record<string, string | number> {
  const [always, vary] = PARTS.test(body.type)
    ? [OF_PARTS, "accept-encoding"]
    : [STANDING, "accept, accept-encoding"];
  const standing = { ...always, ...body.headers, "cache-control": cache, vary };
  const etag = tagOf(body, compressed);
  if (known) return { ...standing, etag };
  return {
    ...standing,
    ...(body.status === 200 && { etag }),
    ...(compressed && { "content-encoding": "br" }),
    "content-type": body.type,
    "content-length": compressed ? body.brotli!.length : body.length,
  };
}

/** Sends a body: 304 when the client has it, compressed when it takes that. HEAD gets the headers alone. */
export async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  body: Body,
  cache: string,
): Promise<void> {
  const compressed = takesBrotli(req, body);
  if (body.status === 200 && hasTag(req, tagOf(body, compressed))) {
    res.writeHead(304, headersOf(body, cache, { compressed, known: true })).end();
    return;
  }
  const bytes = compressed ? await compressedOf(body) : await plainOf(body);
  res.writeHead(body.status, headersOf(body, cache, { compressed, known: false }));
  res.end(req.method === "HEAD" ? undefined : bytes);
}

/** A body that is sent in parts. */
export interface Parts {
  type: string;
  headers?: Record<string, string>;
  cache: string;
  texts: AsyncIterator<string>;
}

/**
 * Sends texts one after the other as one body, each when the client has taken what comes before it, compressed where it
 * takes gzip. Throws what the making of a text throws: nothing is sent before the first one, and when a later one fails, the
 * connection ends, so that no part passes for the whole.
 */
export async function respondInParts(
  req: IncomingMessage,
  res: ServerResponse,
  { type, headers, cache, texts }: Parts,
): Promise<void> {
  const compressed = GZIP.test(String(req.headers["accept-encoding"] ?? ""));
  let first = req.method === "HEAD" ? undefined : await nextOf(texts);
  res.writeHead(200, {
    ...STANDING,
    ...headers,
    ...(compressed && { "content-encoding": "gzip" }),
    "content-type": type,
    "cache-control": cache,
    vary: "accept, accept-encoding",
  });
  if (first === undefined) return void res.end();
  res.flushHeaders();
  let failure: unknown;
  // Read one at a time, without a variable that would keep what is sent while the next one is made.
  const source = new Readable({
    highWaterMark: 1,
    async read() {
      try {
        const text = first ?? (await nextOf(texts));
        first = undefined;
        this.push(text ?? null);
      } catch (error) {
        failure = error;
        this.destroy(error as Error);
      }
    },
    destroy(error, done) {
      Promise.resolve(texts.return?.()).then(
        () => done(error),
        () => done(error),
      );
    },
  });
  const sent = compressed ? pipeline(source, createGzip(GZIP_OPTIONS), res) : pipeline(source, res);
  await sent.catch(() => void res.destroy());
  // Whoever stopped reading is no failure.
  if (failure !== undefined) throw failure;
}

async function nextOf(texts: AsyncIterator<string>): Promise<string | undefined> {
  const { value, done } = await texts.next();
  return done ? undefined : value;
}

/** The body as it is compressed. Nearly all clients take that: it is not kept as it is any more. */
async function compressedOf(body: Body): Promise<Buffer> {
  if (body.brotli) return body.brotli;
  // A copy: what is compressed to a few bytes lies in a chunk of 16 kB, which it would keep.
  const brotli = Buffer.from(await compress(body.bytes!, FAST));
  body.brotli = brotli;
  body.bytes = undefined;
  return brotli;
}

/** Compresses a body as far as it goes, which is worth it for what never changes: a tenth of a second for 50 kB. */
export async function compressBest(body: Body): Promise<void> {
  body.brotli ??= await compress(body.bytes!, BEST);
}

/** The body as it is, which is kept from then on. */
async function plainOf(body: Body): Promise<Buffer> {
  body.bytes ??= await decompress(body.brotli!);
  return body.bytes;
}

/** Sends somebody to a path of this host or to an address, which nobody keeps by default. */
export function redirect(
  res: ServerResponse,
  location: string,
  { status = 302, cache = "private, no-store" }: { status?: 302 | 308; cache?: string } = {},
): void {
  const headers = { "cache-control": cache, location: locationOf(location), "content-length": 0 };
  res.writeHead(status, { ...STANDING, ...headers }).end();
}

/** An address or a path as a header takes it: what was typed may hold any characters. */
function locationOf(target: string): string {
  const url = readUrl(target);
  if (url) return url.href;
  // No path names another host.
  const path = target.replace(/^[/\\]{2,}/, "/");
  // By way of bytes, which half of an emoji has none of.
  return path.replace(/[^!-~]+/g, (text) => encodeURIComponent(String(Buffer.from(text))));
}

/** Whether a client says that it has what this strong tag stands for. */
export function hasTag({ headers }: IncomingMessage, tag: string): boolean {
  const given = headers["if-none-match"];
  if (given === undefined || given === tag) return given === tag;
  return given.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
}
