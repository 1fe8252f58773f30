import { found } from "@octavo/shared/errors";
import { readTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import * as queries from "./queries.js";
import type { GetDocument } from "./schema.js";

/**
 * Returns the document that pages and reusable contents of a space name by its id; 404 for one that nothing in the
 * space names, and in other spaces.
 */
export async function get({ ctx, input }: Call<typeof GetDocument>) {
  const { part } = await readTarget(ctx, input, "space.access", queries.textByHash, {
    hash: input.documentId,
  });
  return ctx.work.run("readDocument", { markdown: found(part.markdown ?? undefined, "Document") });
}
