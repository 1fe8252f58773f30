import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { found, refuse } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import type { Ctx } from "../trpc.js";
import { type Download, readTicket } from "./download-url.js";

/**
 * Types that a browser shows without running anything, sandboxed as they come here; everything else is handed over as a
 * download: HTML, SVG, XML and scripts, but also PDF, which browsers do not show inside a sandbox.
 */
const SHOWN = /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon)|audio\/|video\/|text\/plain$)/;

export const DOWNLOAD = {
  method: "GET",
  path: "/spaces/{spaceId}/downloads/{ticket}/{fileName}",
  name: "files.download",
  openapi: {
    operationId: "downloadFile",
    summary: "Download a file from the signed address that its `downloadURL` gives",
    response: { type: "*/*" },
  },
} satisfies RawDeclaration;

/** Serves the content behind a signed address. An altered or expired one is 404, as if there were no such file. */
export const downloadRoute = (context: () => Ctx): RawRoute => ({
  ...DOWNLOAD,
  handle: async (req, res, { spaceId, ticket, fileName }) => {
    const ctx = context();
    const address = { spaceId: spaceId!, ticket: ticket!, fileName: fileName! };
    const download = found(readTicket(ctx.downloadKey, address, ctx.clock()), "File");
    await sendContent(ctx, req, res, download, "private, max-age=3600");
  },
});

/**
 * Sends a content, or a range of it; 304 to who has it, 404 when it is gone. Nothing in it runs on the origin that it is
 * sent from.
 */
export async function sendContent(
  { storage }: Pick<Ctx, "storage">,
  req: IncomingMessage,
  res: ServerResponse,
  { hash, size, contentType, name }: Download,
  caching: string,
): Promise<void> {
  const etag = `"${hash}"`;
  const headers = {
    "content-type": contentType,
    "content-disposition": `${SHOWN.test(contentType) ? "inline" : "attachment"}; filename*=UTF-8''${asciiOf(name)}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": caching,
    "accept-ranges": "bytes",
    etag,
  };
  if (isKnown(req.headers["if-none-match"], etag)) return void res.writeHead(304, headers).end();
  const current = String(req.headers["if-range"] ?? etag) === etag;
  const range = current ? rangeOf(req.headers.range, size) : undefined;
  if (range && range.start > range.end) return refuseRange(res, size);
  const length = range ? range.end - range.start + 1 : size;
  const partial = range && { "content-range": `bytes ${range.start}-${range.end}/${size}` };
  const bodiless = req.method === "HEAD" || length === 0;
  if (bodiless && !(await storage.has(hash))) refuse("NOT_FOUND", "File: not found");
  const content = bodiless ? undefined : found(await storage.open(hash, range), "File");
  res.writeHead(range ? 206 : 200, { ...headers, ...partial, "content-length": length });
  if (!content) return void res.end();
  await pipeline(content, res).catch((error: unknown) => {
    content.destroy();
    res.destroy();
    if ((error as { code?: string }).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/** A name as RFC 8187 wants it. */
const asciiOf = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether the client says that it has this content: any of its tags, weak or strong. */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}

/**
 * A single range of bytes, which starts behind its end when the file has none of it; several ranges at once are
 * served as a whole, as HTTP allows.
 */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return;
  const [first, last] = [Number(match[1]), Number(match[2])];
  if (match[1] !== "" && match[2] !== "" && first > last) return;
  const start = match[1] === "" ? Math.max(0, size - last) : first;
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(last, size - 1);
  return { start, end };
}

/** 416 carries the size, so that the client can ask again; it is not among the errors of operations. */
function refuseRange(res: ServerResponse, size: number): void {
  const reason = "range_not_satisfiable";
  const requestId = String(res.getHeader("x-request-id") ?? "");
  const error = { code: 416, message: "Range: beyond the end of the file", reason, requestId };
  res.writeHead(416, {
    "content-type": "application/json; charset=utf-8",
    "content-range": `bytes */${size}`,
  });
  res.end(JSON.stringify({ error }));
}
