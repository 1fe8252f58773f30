import * as queries from "../store/customizations.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { defaultCustomization } from "./defaults.js";
import { overriddenBy, type Stored } from "./overrides.js";
import type { SiteCustomizationSettings } from "./schema.js";
import { shownTo } from "./shown.js";

/** Returns how a site looks, with the default of everything that nobody has set. */
export async function settingsOf(ctx: Ctx, site: Site): Promise<SiteCustomizationSettings> {
  return withDefaults(site, await queries.find(ctx, site.id));
}

/** Puts what is stored of a site's look over the defaults. */
export function withDefaults({ title }: Site, stored: Stored | undefined): SiteCustomizationSettings {
  const defaults = defaultCustomization(title);
  // An announcement or a logo that is stored has no default; groups are stored whole, but by an earlier release.
  return stored ? overriddenBy(defaults, stored) : defaults;
}

/**
 * Returns how a site looks to the caller, and those of its site spaces that look otherwise, by their ids; only these are
 * returned.
 */
export async function customizationsOf(ctx: Ctx, site: Site, siteSpaces: string[]) {
  const [own, overrides] = await Promise.all([
    settingsOf(ctx, site),
    queries.overridesAmong(ctx, site.id, siteSpaces),
  ]);
  return {
    site: shownTo(ctx, own),
    siteSpaces: Object.fromEntries(
      overrides.map((row) => [row.site_space, shownTo(ctx, overriddenBy(own, row.overrides))] as const),
    ),
  };
}
