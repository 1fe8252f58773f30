import { changed } from "@octavo/shared/audit";
import { isWithin, roleIn } from "@octavo/shared/contracts/callers";
import { SiteDeleted } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { onConstraint, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite, lockSiteIfAny } from "../access/load-site.js";
import type { OneSite } from "../access/schema.js";
import { requireStoredRole } from "../access/standing.js";
import { emitAudienceCleared, emitSiteAudience } from "../audience/audience.js";
import { restructure } from "../audience/restructure.js";
import { emitSiteChanged } from "../audience/site-changed.js";
import { auditSite } from "../audit.js";
import { allowIn, permits } from "../permissions.js";
import * as insights from "../store/insights.js";
import * as queries from "../store/sites.js";
import type { Call } from "../trpc.js";
import { chooseDefaults } from "./defaults.js";
import { hostnameSet, refuseForeign } from "./foreign-address.js";
import type { List, Lookup, Update } from "./schema.js";
import { view } from "./view.js";
import { narrowsAudience, widensAudience } from "./widening.js";

// A site shows spaces of its organization to an audience, under an address of its own.

/** Lists the sites of an organization that match the filter; 403 for guests, 404 for strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  allowIn(ctx, input.organizationId, "site.view");
  const reach = ctx.caller.kind === "integration" ? ctx.caller.sites : undefined;
  const query = queries.inOrganization(ctx, { ...input, reach });
  return paginate({ query, key: "site.id", input, view: (rows) => rows.map((row) => view(ctx, row)) });
}

/** Returns a site; 403 to guests of the organization, 404 to strangers or when there is none. */
export async function get({ ctx, input }: Call<typeof OneSite>) {
  return view(ctx, await loadSite(ctx, input, "site.view"));
}

/**
 * Changes the settings of a site; 400 for a default that is not on the site, 403 when it shows spaces to more people
 * than the caller may decide, 404 for strangers or an unknown site, 409 for a basename that is taken.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update", (site) => widensAudience(site, input));
    const { title, visibility, basename, agentsContext: agents_context, proxy } = input;
    const { defaultSiteSection, defaultSiteSpace } = input;
    await refuseForeign(ctx, site, input);
    if (narrowsAudience(site, input)) await queries.narrow(ctx, site.id);
    const defaults = { defaultSiteSection, defaultSiteSpace };
    if (defaultSiteSection !== undefined || defaultSiteSpace !== undefined)
      await restructure(ctx, site, (tree) => chooseDefaults(tree, defaults));
    const set = {
      title,
      visibility,
      basename,
      agents_context,
      proxy,
      ...hostnameSet(site, input.hostname),
      adaptive_content: input.adaptiveContent?.enabled,
    };
    await queries.update(ctx, site.id, set).catch(refuseTaken);
    const now = await loadSite(ctx, input, "site.view");
    if (visibility !== undefined) await emitSiteChanged(ctx, now);
    const places = [visibility, basename, proxy, input.hostname, input.adaptiveContent];
    if (places.some((place) => place !== undefined)) await emitSiteAudience(ctx, now);
    await auditSite(ctx, "site.update", site, {
      ...changed(site, set),
      ...(defaultSiteSection !== undefined && { defaultSiteSection }),
      ...(defaultSiteSpace !== undefined && { defaultSiteSpace }),
    });
    return view(ctx, now);
  });
}

/** Deletes a site; 403 for who may not create in the organization. No error when there is none. */
export async function remove({ ctx, input }: Call<typeof OneSite>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSiteIfAny(ctx, input, "site.delete");
    if (!site) return;
    await requireStoredRole(ctx, site.organization, "site.delete");
    await queries.remove(ctx, site.id);
    await insights.removeOfSite(ctx, site.id);
    await emitAudienceCleared(ctx, site);
    await emit(ctx, SiteDeleted, site.id, { site: site.id, organization: site.organization });
    await auditSite(ctx, "site.delete", site, { title: site.title });
  });
}

/** Returns those of the sites that the caller may see, for the services above. */
export async function lookup({ ctx, input }: Call<typeof Lookup>) {
  const rows = await queries.byIds(ctx, input.ids);
  const { caller } = ctx;
  const reach = caller.kind === "integration" ? caller.sites : undefined;
  const visible = rows.filter(
    ({ id, organization }) => permits(roleIn(caller, organization), "site.view") && isWithin(reach, id),
  );
  return visible.map((row) => view(ctx, row));
}

function refuseTaken(error: unknown): never {
  onConstraint(error, "site_basename", () => refuse("CONFLICT", "body.basename: is taken by another site"));
  throw error;
}
