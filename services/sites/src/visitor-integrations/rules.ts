import { keyOfSite } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { emitSiteAudience } from "../audience/audience.js";
import * as publishingAuth from "../store/publishing-auth.js";
import { bumpVersion, lock, narrow, type Row as Site } from "../store/sites.js";
import * as queries from "../store/visitor-integrations.js";
import type { Call, Ctx } from "../trpc.js";
import type { Offer, Replace } from "./schema.js";

// Integrations are above sites: they hand down where visitors sign in by them, and what they sign with. It counts for a
// site once somebody who may decide who sees its spaces has chosen it there.

/**
 * Keeps all that an installation offers to sites of its organization, in place of what it offered before; to the sites
 * with ids in a range alone, if one is given. What was signed by an integration that offers nothing any more, or signs
 * with another key, counts no more.
 */
export async function replace({ ctx, input }: Call<typeof Replace>) {
  const { installation, organization, offers } = input;
  const offered = new Map(offers.map((offer) => [offer.site, offer]));
  for (const id of new Set([...(await queries.sitesOf(ctx, input)), ...offered.keys()]))
    await transact(ctx, async (ctx) => {
      const site = await lock(ctx, organization, id);
      if (site) await replaceOn(ctx, site, installation, offered.get(id));
    });
}

async function replaceOn(ctx: Ctx, site: Site, installation: string, offer: Offer | undefined) {
  const before = await queries.find(ctx, site.id, installation);
  const key = (sealed: string | null | undefined) =>
    sealed ? ctx.vault.open(sealed, keyOfSite(site.id, site.organization)) : undefined;
  const isOtherKey = key(before?.private_key) !== key(offer?.key);
  const isSame = offer?.address === before?.address && offer?.integration === before?.integration;
  if (isSame && !isOtherKey) return;
  const auth = await publishingAuth.find(ctx, site.id);
  if (offer) {
    const { integration, address } = offer;
    await queries.put(ctx, { site: site.id, installation, integration, address, private_key: offer.key });
  } else await queries.remove(ctx, site.id, installation);
  if (auth?.backend !== "integration" || auth.installation !== installation) return;
  if (before?.private_key && isOtherKey) await narrow(ctx, site.id);
  await bumpVersion(ctx, site.id);
  await emitSiteAudience(ctx, site);
}
