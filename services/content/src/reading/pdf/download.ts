import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { found } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import type { Ctx } from "../../trpc.js";
import { editionIn, nameOf } from "./address.js";
import { gather } from "./gather.js";
import * as queries from "./queries.js";

export const PDF = {
  method: "GET",
  path: "/spaces/{spaceId}/pdf/{ticket}/{fileName}",
  name: "pdf.download",
  openapi: {
    operationId: "downloadPDF",
    summary: "Download a PDF from the signed address that was given for it",
    response: { type: "application/pdf" },
  },
} satisfies RawDeclaration;

/**
 * Serves the PDF behind a signed address, and makes it when nobody has asked for it lately. An altered or expired address,
 * and one of a space that is gone, is 404. 503 when it takes too much to be made, or too many are waiting.
 */
export const pdfRoute = (context: () => Ctx): RawRoute => ({
  ...PDF,
  handle: async (req, res, { spaceId, ticket, fileName }) => {
    const ctx = context();
    const edition = found(editionIn(ctx, { space: spaceId!, ticket: ticket!, name: fileName! }), "PDF");
    const about = found(await queries.about(ctx, edition), "PDF");
    const name = nameOf(edition);
    const headers = {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName!).replace(/['()*]/g, "_")}`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=3600",
      etag: `"${name}"`,
    };
    if (req.headers["if-none-match"] === headers.etag) return void res.writeHead(304, headers).end();
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    const { organization } = about;
    const wanted = { name, organization, order: () => gather(ctx, edition, about) };
    const path = await ctx.presses.make(wanted, gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted) throw error;
    });
    if (path === undefined) return;
    const { size } = await stat(path);
    res.writeHead(200, { ...headers, "content-length": size });
    if (req.method === "HEAD") return void res.end();
    await pipeline(createReadStream(path), res).catch((error: unknown) => {
      res.destroy();
      if ((error as { code?: string }).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  },
});
