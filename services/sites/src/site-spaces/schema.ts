import { id, listOf, paging } from "@octavo/shared/contracts/fields";
import { space } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { OneSite, path, positionOf, shareKey } from "../access/schema.js";
import { condition } from "../claims/condition.js";

export const SiteSpace = z
  .object({
    object: z.literal("site-space"),
    id: z.string(),
    path: z.string(),
    /** The section that it is a variant of, on a site with sections. */
    section: z.string().optional(),
    space,
    title: z.string(),
    /** Whether it is the default one of its section, or of a site without sections. */
    default: z.boolean(),
    condition: z.string().optional(),
    /** Whether it has a look of its own in what the interface counts as advanced customization. */
    hasAdvancedCustomizationFeature: z.boolean(),
    /** `published` only while the site is. */
    urls: z.object({ published: z.string().optional() }),
  })
  .meta({ id: "SiteSpace" });
export type SiteSpace = z.output<typeof SiteSpace>;

export const List = OneSite.extend({
  ...paging,
  shareKey,
  /** true: only the default ones; false: only the others. */
  default: z.boolean().optional(),
});
export const SiteSpaceList = listOf(SiteSpace);

export const Add = OneSite.extend({ spaceId: id, sectionId: id.optional() });
export const OneSiteSpace = OneSite.extend({ siteSpaceId: id });
export const Update = OneSiteSpace.extend({
  path: path.optional(),
  condition: condition.nullable().optional(),
  /** Another space to show in its place. */
  spaceId: id.optional(),
});

export const siteSpacePointer = z.object({ type: z.literal("site-space"), siteSpace: id });
export const Move = OneSiteSpace.extend({ position: positionOf(siteSpacePointer).optional() });
