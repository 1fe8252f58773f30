import { pipeline } from "node:stream/promises";
import { found, refuse } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { Ctx } from "../trpc.js";
import { readTicket } from "./download-url.js";

/** Types that a browser shows without running anything; everything else is handed over as a download. */
const SHOWN = /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon)|audio\/|video\/|application\/pdf$|text\/plain$)/;

export const DOWNLOAD = {
  method: "GET",
  path: "/spaces/{spaceId}/downloads/{ticket}/{fileName}",
  name: "files.download",
} as const;

/** Serves the content behind a signed address. An altered or expired one is 404, as if there were no such file. */
export const downloadRoute = (context: () => Ctx): RawRoute => ({
  ...DOWNLOAD,
  handle: async (req, res, { spaceId, ticket, fileName }) => {
    const { storage, downloadKey, clock } = context();
    const download = found(
      readTicket(downloadKey, { spaceId: spaceId!, ticket: ticket!, fileName: fileName! }, clock()),
      "File",
    );
    const { hash, size, contentType, name } = download;
    const headers = {
      "content-type": contentType,
      "content-disposition": `${SHOWN.test(contentType) ? "inline" : "attachment"}; filename*=UTF-8''${encodeURIComponent(name)}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=3600",
      "accept-ranges": "bytes",
      etag: `"${hash}"`,
    };
    if (req.headers["if-none-match"] === headers.etag) return void res.writeHead(304, headers).end();
    const range = rangeOf(req.headers.range, size);
    const length = range ? range.end - range.start + 1 : size;
    const partial = range && { "content-range": `bytes ${range.start}-${range.end}/${size}` };
    const content =
      req.method === "HEAD" || length === 0 ? undefined : found(await storage.open(hash, range), "File");
    res.writeHead(range ? 206 : 200, { ...headers, ...partial, "content-length": length });
    if (!content) return void res.end();
    await pipeline(content, res).catch((error: unknown) => {
      content.destroy();
      res.destroy();
      if ((error as { code?: string }).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  },
});

/** A single range of bytes; several at once are answered with the whole, as HTTP allows. 416 has no place in our errors: a range beyond the end is bad input. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return;
  const start = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (start > end) refuse("BAD_REQUEST", "Range: beyond the end of the file");
  return { start, end };
}
