import { transact } from "@octavo/shared/database/transact";
import { loadSite, lockSite } from "../access/load-site.js";
import type { OneSite } from "../access/schema.js";
import { emitSiteAudience } from "../audience/audience.js";
import { auditSite } from "../audit.js";
import { templateConditions } from "../claims/template-conditions.js";
import * as queries from "../store/adaptive-schema.js";
import { bumpVersion, narrow } from "../store/sites.js";
import type { Call } from "../trpc.js";
import type { Update } from "./schema.js";
import { view } from "./view.js";

// The schema says which claims of visitors count. What conditions let through follows from it, so whoever changes it
// has to decide who sees the spaces of the site.

/**
 * Returns the schema of a site: without claims until somebody gives it one; 403 for guests, 404 for strangers or an
 * unknown site.
 */
export async function get({ ctx, input }: Call<typeof OneSite>) {
  const site = await loadSite(ctx, input, "site.view");
  return view(site, await queries.find(ctx, site.id));
}

/**
 * Replaces the schema of a site; 400 for what is none, 403 for who may not decide who sees the spaces of the site, 404
 * for strangers or an unknown site. What visitors claimed by the schema before ends with it.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageClaims", () => true);
    const row = await queries.put(ctx, site.id, input.jsonSchema);
    await bumpVersion(ctx, site.id);
    await narrow(ctx, site.id);
    await emitSiteAudience(ctx, site);
    await auditSite(ctx, "site.claims.update", site, { jsonSchema: "changed" });
    return view(site, row);
  });
}

/**
 * Lists a condition for each boolean of the schema and for each value of a text with values, in its order; refuses like
 * `get`.
 */
export async function listTemplateConditions({ ctx, input }: Call<typeof OneSite>) {
  const { jsonSchema } = await get({ ctx, input });
  return { items: templateConditions(jsonSchema.properties) };
}
