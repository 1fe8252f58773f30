import { isVisible } from "../claims/claims.js";
import type { Ctx } from "../trpc.js";
import type { SiteCustomizationSettings } from "./schema.js";

/**
 * A customization as the caller is shown it: visitors of a site without the header links whose conditions their claims do
 * not meet.
 */
export function shownTo(
  { caller }: Ctx,
  customization: SiteCustomizationSettings,
): SiteCustomizationSettings {
  if (caller.kind !== "reader") return customization;
  const links = customization.header.links.filter(({ condition }) =>
    isVisible(condition, caller.claims ?? {}),
  );
  return { ...customization, header: { ...customization.header, links } };
}
