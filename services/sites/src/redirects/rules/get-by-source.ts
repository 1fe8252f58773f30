import { found } from "@octavo/shared/errors";
import { loadSite } from "../../access/load-site.js";
import { addressedBy } from "../../audience/share-key.js";
import type { Call } from "../../trpc.js";
import { follow } from "../follow.js";
import type { GetBySource } from "../schema.js";

/**
 * Returns where a path leads that has no content, over as many redirects as it takes, so that the reader is sent on
 * once; a path that the structure gave up leads to what it stood for. 403 for guests, 404 when no redirect stands for
 * it, or it leads to what is not there for the caller.
 */
export async function getBySource({ ctx, input }: Call<typeof GetBySource>) {
  const site = await addressedBy(ctx, await loadSite(ctx, input, "site.view"), input.shareKey);
  const { redirect, target } = found(await follow(ctx, site, input.source), "Redirect");
  return { redirect, target: found(target, "Redirect") };
}
