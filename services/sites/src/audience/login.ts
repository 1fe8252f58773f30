import * as publishingAuth from "../store/publishing-auth.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** Characters of the longest place that a visitor is brought back to. */
const LONGEST_LOCATION = 1024;

/**
 * Where a visitor signs in: the address of the integration by which visitors do, else the fallback address of the site,
 * with `location`, the path below the site that they asked for. Undefined when there is no such address.
 */
export async function loginAddress(
  ctx: Ctx,
  { id }: Pick<Site, "id">,
  path: string[],
): Promise<string | undefined> {
  const auth = await publishingAuth.find(ctx, id);
  const base = auth?.address ?? auth?.fallback_url;
  if (!base) return undefined;
  const address = new URL(base);
  const location = path.map(encodeURIComponent).join("/").slice(0, LONGEST_LOCATION);
  address.searchParams.set("location", location);
  return address.href;
}
