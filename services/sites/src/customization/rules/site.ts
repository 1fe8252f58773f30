import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { loadSite, lockSite } from "../../access/load-site.js";
import { auditSite } from "../../audit.js";
import * as queries from "../../store/customizations.js";
import { bumpVersion } from "../../store/sites.js";
import type { Call } from "../../trpc.js";
import { checkConditions } from "../conditions.js";
import type { Get, Update } from "../schema.js";
import { settingsOf, withDefaults } from "../settings.js";
import { shownTo } from "../shown.js";

/** Returns how a site looks to the caller, with all defaults; 403 for guests of its organization, 404 for strangers. */
export async function get({ ctx, input }: Call<typeof Get>) {
  return shownTo(ctx, await settingsOf(ctx, await loadSite(ctx, input, "site.view")));
}

/**
 * Replaces how a site looks; a title that is left out is that of the site. 400 for conditions that the schema of the
 * site does not let read what they do, 403 for who may not create, 404 for strangers or an unknown site.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  const { organizationId: _, siteId: __, ...settings } = input;
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.customize");
    await checkConditions(ctx, site.id, settings.header.links);
    const before = await settingsOf(ctx, site);
    await queries.put(ctx, site.id, settings);
    const now = withDefaults(site, settings);
    await bumpVersion(ctx, site.id);
    await auditSite(ctx, "site.customization.update", site, changed(before, now));
    return now;
  });
}
