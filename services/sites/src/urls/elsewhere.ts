import { siteUrl } from "../audience/addresses.js";
import type { Elsewhere } from "../audience/admit.js";
import type { Claims } from "../claims/claims.js";
import { withoutIdentity } from "../content/content.js";
import { encodePath } from "../redirects/destinations.js";
import { follow } from "../redirects/follow.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** What stands at an address if it is a page: the space, at the revision that readers see, and the path in it. */
interface Page {
  space: string;
  revision: string;
  /** The address of the space, with a slash at its end. */
  root: string;
  /** Segments as they stand in the address. */
  page: string[];
}

/**
 * Where a visitor is led who asks for a path below the root of a site, in one step: to the page that had the path, or
 * where a redirect leads. Undefined when there is neither, or a page: content wins. `site` has the share key of the
 * address, which the target then has too.
 */
export async function elsewhereFrom(
  ctx: Ctx,
  site: Site & { share_key?: string },
  path: string[],
  claims: Claims = {},
  { space, revision, root, page }: Page,
): Promise<Elsewhere | undefined> {
  const asked = page.map(decodeURIComponent).join("/");
  const at = { space, revision, path: asked, claims };
  const now = await ctx.content.pageAt(withoutIdentity(ctx), at);
  // Case makes no difference, so a page is at each of its spellings.
  if (now?.toLowerCase() === asked.toLowerCase()) return undefined;
  if (now !== undefined) return { target: "content", redirect: root + encodePath(now) };
  const taken = path.length - page.length;
  const led = await follow(ctx, site, `/${path.join("/")}`, { claims, taken });
  if (led?.target === undefined) return undefined;
  const isOwn = led.target.toLowerCase().startsWith(siteUrl(ctx, site).toLowerCase());
  return { target: isOwn ? "content" : "external", redirect: led.target };
}
