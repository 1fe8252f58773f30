import { randomBytes } from "node:crypto";
import { changed } from "@octavo/shared/audit";
import { keyOfSite, SiteKeyReplaced } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { lockSite } from "../access/load-site.js";
import type { OneSite } from "../access/schema.js";
import { emitSiteAudience } from "../audience/audience.js";
import { emitSiteChanged } from "../audience/site-changed.js";
import { auditSite } from "../audit.js";
import * as queries from "../store/publishing-auth.js";
import { bumpVersion, narrow } from "../store/sites.js";
import * as visitorIntegrations from "../store/visitor-integrations.js";
import type { Call, Ctx } from "../trpc.js";
import type { Update } from "./schema.js";
import { view } from "./view.js";

// A site with signed-in visitors accepts JWTs that are signed by HS256 with its private key, or with that of the
// integration by which visitors sign in. Whoever may show all spaces of the site may see its key: they hand it to the
// backend that signs, and could sign for anybody.

const newKey = ({ vault }: Ctx, { id, organization }: { id: string; organization: string }) =>
  vault.seal(randomBytes(32).toString("base64url"), keyOfSite(id, organization));

/**
 * Returns how a site finds out who its visitors are; it has a key from the first time that somebody wants to see it.
 * 403 for who may not create in the organization, 404 for strangers or an unknown site.
 */
export function get({ ctx, input }: Call<typeof OneSite>) {
  return transact(ctx, async (ctx) => {
    const { site, row } = await lockAuth(ctx, input);
    return view(ctx, site, row);
  });
}

/**
 * Changes where visitors of a site sign in. By an integration, they do by the one that is named, else by the one by which
 * they do already, else by the one that was installed first on the site with the scope `site:visitor:auth`. 404 for
 * strangers, an unknown site, or an integration that is not installed so, 403 for who may not decide who sees its spaces.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const { site, row } = await lockAuth(ctx, input);
    const installation = input.backend === "integration" ? await chosen(ctx, row, input.integration) : null;
    const set = { backend: input.backend, fallback_url: input.fallbackURL, installation };
    const now = await queries.update(ctx, site.id, set);
    const isOther = now.backend !== row.backend || now.installation !== row.installation;
    if (row.integration_key && isOther) await narrow(ctx, site.id);
    await bumpVersion(ctx, site.id);
    await emitSiteChanged(ctx, site);
    if (isOther && (site.visibility === "visitor-auth" || row.integration_key))
      await emitSiteAudience(ctx, site);
    await auditSite(ctx, "site.auth.update", site, changed(row, set));
    return view(ctx, site, now);
  });
}

/** The installation by which visitors are to sign in; null while there is none. */
async function chosen(ctx: Ctx, { site, installation }: queries.Row, name?: string): Promise<string | null> {
  const offers = await visitorIntegrations.ofSite(ctx, site);
  if (name !== undefined)
    return found(
      offers.find(({ integration }) => integration === name),
      "Integration",
    ).installation;
  return (offers.find((offer) => offer.installation === installation) ?? offers[0])?.installation ?? null;
}

/**
 * Replaces the key of a site: what was signed with the one before counts no more. 403 for who may not decide who sees
 * the spaces of the site, 404 for strangers or an unknown site.
 */
export function regenerate({ ctx, input }: Call<typeof OneSite>) {
  return transact(ctx, async (ctx) => {
    const { site } = await lockAuth(ctx, input);
    const row = await queries.update(ctx, site.id, { private_key: newKey(ctx, site) });
    if (row.installation !== null && row.integration !== null) {
      const { organization } = site;
      await visitorIntegrations.forgetKey(ctx, site.id, row.installation);
      const about = { site: site.id, organization, installation: row.installation };
      await emit(ctx, SiteKeyReplaced, site.id, about);
    }
    await narrow(ctx, site.id);
    await bumpVersion(ctx, site.id);
    await emitSiteChanged(ctx, site);
    await emitSiteAudience(ctx, site);
    await auditSite(ctx, "site.auth.regenerate", site);
    return view(ctx, site, row);
  });
}

/** What there is for the site, which nobody else writes to until the transaction ends; made when there is nothing. */
async function lockAuth(ctx: Ctx, input: Call<typeof OneSite>["input"]) {
  const site = await lockSite(ctx, input, "site.manageAuth", () => true);
  const known = await queries.find(ctx, site.id);
  if (known) return { site, row: known };
  const row = await queries.insert(ctx, { site: site.id, private_key: newKey(ctx, site) });
  await emitSiteChanged(ctx, site);
  await auditSite(ctx, "site.auth.create", site);
  return { site, row };
}
