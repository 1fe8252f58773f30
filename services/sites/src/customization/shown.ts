import { isVisible } from "../claims/claims.js";
import type { Ctx } from "../trpc.js";
import type { SiteCustomizationSettings } from "./schema.js";

/** A look as the caller is shown it: visitors of a site without the links whose conditions their claims do not meet. */
export function shownTo({ caller }: Ctx, look: SiteCustomizationSettings): SiteCustomizationSettings {
  if (caller.kind !== "reader") return look;
  const links = look.header.links.filter(({ condition }) => isVisible(condition, caller.claims ?? {}));
  return { ...look, header: { ...look.header, links } };
}
