import { paginate } from "@octavo/shared/paginate";
import { views } from "../integrations/view.js";
import { scriptsAt } from "../space-integrations/at-work.js";
import type { ListOnSite, OneSite } from "../space-integrations/schema.js";
import * as queries from "../store/integrations.js";
import type { Call, Ctx } from "../trpc.js";

// What is at work on a site: what its organization installed on all sites, or on this one.

/** Lists the integrations at work on a site, sorted by name; 403 and 404 as for the site itself. */
export async function list({ ctx, input }: Call<typeof ListOnSite>) {
  const place = await loadSite(ctx, input);
  return paginate({
    query: queries.atWork(ctx, place, input.search),
    key: "name",
    input,
    view: (rows) => views(ctx, rows),
  });
}

/** Returns the scripts that integrations put into the pages of a site; 403 and 404 as for the site itself. */
export async function listIntegrationScripts({ ctx, input }: Call<typeof OneSite>) {
  return scriptsAt(ctx, await loadSite(ctx, input));
}

async function loadSite(
  ctx: Ctx,
  { organizationId, siteId }: { organizationId: string; siteId: string },
): Promise<queries.ContentTarget> {
  const { id } = await ctx.sites.site(ctx, organizationId, siteId);
  return { kind: "site", content: id, organization: organizationId };
}
