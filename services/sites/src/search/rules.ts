import type { z } from "zod";
import { loadSite } from "../access/load-site.js";
import { addressOf, siteSpaceUrl } from "../audience/addresses.js";
import { addressedBy } from "../audience/share-key.js";
import { visibleStructure } from "../audience/visible.js";
import { AT_ONCE } from "../content/content.js";
import * as structure from "../store/structure.js";
import { isShown, type SiteSpace } from "../tree/tree.js";
import type { Call } from "../trpc.js";
import type { Scope, Search } from "./schema.js";
import { view } from "./view.js";

/**
 * Searches the pages of a site, grouped by space: one question to content for all that the scope names and the caller
 * may read; of a visitor, for what is shown to them. Ids of what the site does not show find nothing. 403 for guests, 404 for strangers.
 */
export async function search({ ctx, input }: Call<typeof Search>) {
  const site = await addressedBy(ctx, await loadSite(ctx, input, "site.view"), input.shareKey);
  const all = await structure.read(ctx, site);
  const tree = ctx.caller.kind === "reader" ? visibleStructure(all, ctx.caller.claims) : all;
  const rows = within(tree.siteSpaces.filter(isShown), scopeOf(input)).slice(0, AT_ONCE);
  if (rows.length === 0) return { items: [], count: 0 };
  const { query, page, limit } = input;
  const spaces = rows.map(({ space }) => space);
  const found = await ctx.content.search(ctx, {
    organizationId: site.organization,
    spaces,
    query,
    page,
    limit,
  });
  const address = addressOf(ctx, site);
  const roots = new Map(
    site.published ? rows.map((row) => [row.space, siteSpaceUrl(address, tree, row)] as const) : [],
  );
  return { ...found, items: found.items.map((space) => view(space, roots.get(space.id))) };
}

/** What a scope covers, in whichever of its forms it came. */
function scopeOf({ scope, mode, siteSpaceIds = [], siteSpaceId }: z.output<typeof Search>): Scope {
  if (scope) return scope;
  if (mode === "all") return { mode };
  return { mode: "specific", siteSpaceIds: mode === "current" ? [siteSpaceId!] : siteSpaceIds };
}

function within(rows: SiteSpace[], scope: Scope): SiteSpace[] {
  if (scope.mode === "all") return rows;
  const chosen = new Set(scope.mode === "specific" ? scope.siteSpaceIds : scope.includedSiteSpaces);
  return rows.filter(({ id, is_default }) => chosen.has(id) || (scope.mode === "default" && is_default));
}
