import type { Belonging } from "@octavo/shared/contracts/belonging";
import * as shareLinks from "../store/share-links.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** For what the key of a share link is sealed. */
export const belongingOfKey = (id: string, organization: string): Belonging => ({
  kind: "shareLink.key",
  id,
  organization,
});

/**
 * The site as whoever has this share key finds it: published addresses that are made of it hold the key. A key that is
 * none, of another site, or of a link that is not active changes nothing.
 */
export async function addressedBy<Named extends Pick<Site, "id">>(
  ctx: Ctx,
  site: Named,
  shareKey: string | undefined,
): Promise<Named & { share_key?: string }> {
  if (shareKey === undefined || !(await shareLinks.findActive(ctx, site.id, shareKey))) return site;
  return { ...site, share_key: shareKey.toLowerCase() };
}
