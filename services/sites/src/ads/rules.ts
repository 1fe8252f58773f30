import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { lockSite } from "../access/load-site.js";
import { auditSite } from "../audit.js";
import * as queries from "../store/sites.js";
import type { Call } from "../trpc.js";
import type { Request } from "./schema.js";
import { adsOf, isShownToAll, nextAds } from "./state.js";

// A site asks for ads, and whoever runs an ad network decides. There is none here: what asks stays in review.

/**
 * Asks for ads on a site, changes their topic, or ends them; 400 for a review without a topic, 403 for who may not create in
 * the organization, 404 for strangers or an unknown site, 409 for a step that does not lead on from where they stand.
 */
export async function request({ ctx, input }: Call<typeof Request>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageAds");
    const ads = nextAds(site.ads, input, isShownToAll(site));
    if (ads === site.ads) return;
    await queries.update(ctx, site.id, { ads: ads && JSON.stringify(ads) });
    const [before, after] = [adsOf(site), adsOf({ ...site, ads })];
    await auditSite(ctx, "site.ads.request", site, changed(before, { topic: null, ...after }));
  });
}
