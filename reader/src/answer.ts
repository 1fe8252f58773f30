import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Body } from "./bodies.js";

const compress = promisify(brotliCompress);
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const COMPRESSED = /^font\//;
/** What is smaller is sent as it is. */
const SMALL = 1_000;

/** On everything that the reader sends. */
export const STANDING: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

/** Sends a body: 304 when the client has it, compressed when it takes that. HEAD gets the headers alone. */
export async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  body: Body,
  cache: string,
): Promise<void> {
  const { etag, type, headers } = body;
  const standing = { ...STANDING, ...headers, "cache-control": cache, vary: "accept, accept-encoding" };
  const takesBrotli =
    /\bbr\b/.test(String(req.headers["accept-encoding"] ?? "")) &&
    body.bytes.length > SMALL &&
    !COMPRESSED.test(type);
  const tag = takesBrotli ? etag.replace(/"$/, '-br"') : etag;
  if (body.status === 200 && hasTag(req, tag)) {
    res.writeHead(304, { ...standing, etag: tag }).end();
    return;
  }
  if (takesBrotli) body.brotli ??= await compress(body.bytes, QUALITY);
  const bytes = takesBrotli ? body.brotli! : body.bytes;
  res.writeHead(body.status, {
    ...standing,
    ...(body.status === 200 && { etag: tag }),
    ...(takesBrotli && { "content-encoding": "br" }),
    "content-type": type,
    "content-length": bytes.length,
  });
  res.end(req.method === "HEAD" ? undefined : bytes);
}

/** Sends somebody elsewhere, which nobody keeps by default. */
export function redirect(
  res: ServerResponse,
  location: string,
  { status = 302, cache = "private, no-store" }: { status?: 302 | 308; cache?: string } = {},
): void {
  res.writeHead(status, { ...STANDING, "cache-control": cache, location, "content-length": 0 }).end();
}

/** Whether a client says that it has what this strong tag stands for. */
export const hasTag = (req: IncomingMessage, tag: string): boolean =>
  req.headers["if-none-match"]?.split(",").some((one) => one.trim().replace(/^W\//, "") === tag) ?? false;
