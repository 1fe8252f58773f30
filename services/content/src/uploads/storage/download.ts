import { found } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import { sendContent } from "../../files/download.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

export const STORED_FILE = {
  method: "GET",
  path: "/orgs/{organizationId}/storage/files/{contentHash}/{fileName}",
  name: "storage.download",
  openapi: {
    operationId: "downloadStoredFile",
    summary: "Download an uploaded font from the lasting address of its content",
    response: { type: "*/*" },
  },
} satisfies RawDeclaration;

/** SHA-256 in base64url. */
const HASH = /^[\w-]{43}$/;
const CACHING = "public, max-age=31536000, immutable";

/** Serves an uploaded font by the hash of its content, to everybody; 404 when no font was ever made of such bytes. */
export const storedFileRoute = (context: () => Ctx): RawRoute => ({
  ...STORED_FILE,
  handle: async (req, res, { organizationId, contentHash, fileName }) => {
    const ctx = context();
    const wanted = { organization: organizationId!, content: contentHash!, name: fileName! };
    const row = HASH.test(wanted.content) ? await queries.findTaken(ctx, wanted) : undefined;
    const { name, size, content_type: contentType } = found(row, "File");
    await sendContent(ctx, req, res, { hash: wanted.content, contentType, size, name }, CACHING);
  },
});
