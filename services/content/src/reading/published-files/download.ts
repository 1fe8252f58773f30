import { found } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import { sendContent } from "../../files/download.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

export const PUBLISHED_FILE = {
  method: "GET",
  path: "/spaces/{spaceId}/files/{contentHash}/{fileName}",
  name: "publishedFiles.download",
  openapi: {
    operationId: "downloadPublishedFile",
    summary: "Download a file of a public space from the lasting address of its content",
    response: { type: "*/*" },
  },
} satisfies RawDeclaration;

/** SHA-256 in base64url. */
const HASH = /^[\w-]{43}$/;
/** The content behind an address never changes; whether it may be seen can. */
const CACHING = "public, max-age=31536000, immutable";
/** For as long as visitors may still read the revision that a file was in. */
const AFTERWARDS_MS = 2 * 3_600_000;

/**
 * Serves contents of files by their hash, while a site shows the space to everybody and the space has such a file; 404
 * for all others, as if there were none.
 */
export const publishedFileRoute = (context: () => Ctx): RawRoute => ({
  ...PUBLISHED_FILE,
  handle: async (req, res, { spaceId, contentHash, fileName }) => {
    const ctx = context();
    const [space, hash, name] = [spaceId!, contentHash!, fileName!];
    const since = new Date(ctx.clock().getTime() - AFTERWARDS_MS);
    const known = HASH.test(hash)
      ? await queries.publishedFile(ctx, { space, hash, name, since })
      : undefined;
    const { title, props } = found(known, "File");
    const { contentType, size } = props;
    const download = { hash, contentType, size, name: title.replaceAll("/", "_") };
    await sendContent(ctx, req, res, download, CACHING);
  },
});
