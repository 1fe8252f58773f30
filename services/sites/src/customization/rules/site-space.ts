import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import type { z } from "zod";
import { loadSite, lockSite } from "../../access/load-site.js";
import { auditSiteSpace } from "../../audit.js";
import { readable } from "../../site-spaces/spaces.js";
import * as queries from "../../store/customizations.js";
import * as siteSpaces from "../../store/site-spaces.js";
import { bumpVersion, type Row as Site } from "../../store/sites.js";
import type { Call, Ctx } from "../../trpc.js";
import { checkConditions } from "../conditions.js";
import { changedBy, isAdvanced, overriddenBy } from "../overrides.js";
import type { GetOfSiteSpace, OneSiteSpace, UpdateOfSiteSpace } from "../schema.js";
import { settingsOf } from "../settings.js";
import { shownTo } from "../shown.js";

// A site space looks like its site, but for what it overrides.

/**
 * Returns how a site space looks to the caller; 403 for guests, 404 for one that the site does not show, or whose space
 * the caller may not read.
 */
export async function get({ ctx, input }: Call<typeof GetOfSiteSpace>) {
  const site = await loadSite(ctx, input, "site.view");
  const row = await visible(ctx, site, input);
  const [own, overrides = {}] = await Promise.all([
    settingsOf(ctx, site),
    queries.findOverrides(ctx, row.id),
  ]);
  return shownTo(ctx, overriddenBy(own, overrides));
}

/**
 * Changes what of a site space looks otherwise than its site: null is that of the site again. 403 for who may not
 * create, 404 as for reading, 400 as for the site.
 */
export async function update({ ctx, input }: Call<typeof UpdateOfSiteSpace>) {
  const { organizationId: _, siteId: __, siteSpaceId: ___, ...change } = input;
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.customize");
    const row = await visible(ctx, site, input);
    await checkConditions(ctx, site.id, change.header?.links);
    const overrides = changedBy((await queries.findOverrides(ctx, row.id)) ?? {}, change);
    await queries.putOverrides(ctx, row, { overrides, advanced: isAdvanced(overrides) });
    await bumpVersion(ctx, site.id);
    const fields = Object.keys(change).filter((key) => change[key as keyof typeof change] !== undefined);
    await auditSiteSpace(ctx, "site-space.customization.update", row, { site: site.id, fields });
    return overriddenBy(await settingsOf(ctx, site), overrides);
  });
}

/** Makes a site space look like its site; no error when it does, or is not there. 403 for who may not create. */
export async function remove({ ctx, input }: Call<typeof OneSiteSpace>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.customize");
    const row = await visibleIfAny(ctx, site, input);
    if (!row || !(await queries.removeOverrides(ctx, row.id))) return;
    await bumpVersion(ctx, site.id);
    await auditSiteSpace(ctx, "site-space.customization.delete", row, { site: site.id });
  });
}

type One = z.output<typeof OneSiteSpace>;

const visible = async (ctx: Ctx, site: Site, one: One) =>
  found(await visibleIfAny(ctx, site, one), "Site space");

/** The site space, when the site shows it and the caller may read its space. */
async function visibleIfAny(ctx: Ctx, site: Site, { siteSpaceId }: One) {
  const row = await siteSpaces.findShown(ctx, site.id, siteSpaceId);
  if (!row) return undefined;
  const spaces = await readable(ctx, site.organization, [row.space]);
  return spaces.has(row.space) ? row : undefined;
}
