// Files that pages name lie at addresses by the hash of their content, below the space that they are in: what is kept of a
// page does not go out of date, and whoever may not see the site gets no file of it.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Assets } from "../assets/assets.js";
import { unlessGone } from "../cache/upstream-errors.js";
import { hasTag, STANDING } from "../http/respond.js";
import type { File } from "../site/space.js";
import { sendNothing } from "./not-found.js";
import { isPublic, type PageRequest } from "./page-request.js";

/** A content never changes; who may see it can, so what is not for everybody stays in the browser of who saw it. */
const CACHE_OF_ALL = "public, max-age=31536000, immutable";
const CACHE_OF_ONE = "private, max-age=600";

/** What content says of a file, and what is asked of it. */
const KEPT = [
  "content-type",
  "content-length",
  "content-range",
  "content-disposition",
  "content-security-policy",
  "accept-ranges",
  "etag",
];
const ASKED = ["range", "if-range"];
/** How long content may take to begin. */
const BEGIN_MS = 30_000;

/** Sends the file of a space that has this content, whole or in part; 404 when the space has none. */
export async function sendFile(request: PageRequest, assets: Assets, hash: string): Promise<void> {
  const { req, res, space } = request;
  const file = space.filesByHash.get(hash);
  if (!file) return sendNothing(req, res, assets);
  const caching = isPublic(request) ? CACHE_OF_ALL : CACHE_OF_ONE;
  const etag = `"${hash}"`;
  if (hasTag(req, etag)) {
    res.writeHead(304, { ...STANDING, "cache-control": caching, etag }).end();
    return;
  }
  const got = await download(request, file);
  if (!got) return sendNothing(req, res, assets);
  const headers = KEPT.flatMap((name) => {
    const value = got.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  res.writeHead(got.status, {
    ...STANDING,
    ...Object.fromEntries(headers),
    "cache-control": got.status < 300 ? caching : "no-store",
  });
  if (!got.body || req.method === "HEAD") return void res.end();
  // The types of both streams are of two packages that describe the same.
  const body = Readable.fromWeb(got.body as unknown as ReadableStream);
  await pipeline(body, res).catch(() => void res.destroy());
}

/** Asks content for a file; undefined when it is gone. Whoever goes away ends what is under way for them. */
async function download({ req, res, place }: PageRequest, { id }: File): Promise<Response | undefined> {
  const { visitor, space: spaceId, revision: revisionId } = place;
  const asked = visitor.content.revisionContent.file.query({ spaceId, revisionId, fileId: id });
  const file = await unlessGone(asked);
  if (!file) return undefined;
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  const late = setTimeout(() => gone.abort(), BEGIN_MS);
  const headers = ASKED.flatMap((name) => {
    const value = req.headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  const init = { method: req.method, headers: Object.fromEntries(headers), signal: gone.signal };
  const got = await visitor.download(file.downloadURL, init).finally(() => clearTimeout(late));
  if (got.ok || got.status === 416) return got;
  await got.body?.cancel();
  return undefined;
}
