import { buffer } from "node:stream/consumers";
import { refuse } from "@octavo/shared/errors";
import type { Ctx } from "../trpc.js";
import { uploadAt } from "../uploads/storage/address.js";
import { findSent } from "../uploads/storage/queries.js";
import type { Download } from "./download.js";

/**
 * What was sent to a signed address of ours in order to be imported; undefined for all other addresses. 400 when nothing
 * came in there, or it was removed since.
 */
export async function uploaded(ctx: Ctx, url: string): Promise<Download | undefined> {
  const named = uploadAt(ctx, url);
  if (!named) return undefined;
  const row = named.isSigned ? await findSent(ctx, named.organization, named.key, "import_file") : undefined;
  const content = row?.content ? await ctx.storage.open(row.content) : undefined;
  if (!row || !content)
    return refuse("BAD_REQUEST", "body.url: nothing was sent there to be imported", {
      reason: "unreachable",
    });
  return { name: row.name, contentType: row.content_type, content: await buffer(content) };
}
