import { icon, id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite, path, positionOf, shareKey } from "../access/schema.js";
import { condition } from "../claims/condition.js";
import { SiteSpace } from "../site-spaces/schema.js";

const title = text(128, 2);

export const SiteSection = z
  .object({
    object: z.literal("site-section"),
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    default: z.boolean(),
    path: z.string(),
    condition: z.string().optional(),
    /** The group that it lies in. */
    sectionGroup: z.string().optional(),
    /** Its variants. */
    siteSpaces: z.array(SiteSpace),
    /** `published` only while the site is. */
    urls: z.object({ published: z.string().optional() }),
    icon: z.string().optional(),
  })
  .meta({ id: "SiteSection" });
export type SiteSection = z.output<typeof SiteSection>;

export const List = OneSite.extend({ ...paging, shareKey });
export const SiteSectionList = listOf(SiteSection);

export const Create = OneSite.extend({
  spaceId: id,
  /** The title of the space when absent. */
  title: title.nullable().optional(),
  icon: icon.nullable().optional(),
});
export const OneSection = OneSite.extend({ siteSectionId: id });
export const Update = OneSection.extend({
  title: title.optional(),
  path: path.optional(),
  defaultSiteSpace: id.optional(),
  condition: condition.nullable().optional(),
  icon: icon.nullable().optional(),
  description: text(256).nullable().optional(),
});

const pointer = z.object({ type: z.literal("site-section"), siteSection: id });
export const Move = OneSection.extend({ position: positionOf(pointer).optional() });
