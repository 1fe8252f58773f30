import { id, listOf, paging } from "@octavo/shared/contracts/fields";
import { space } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { OneSite } from "../access/schema.js";

/**
 * The query parameter of reads that show published addresses: the key of a share link is repeated in them. It opens
 * nothing by itself, and one that is no key of the site is ignored.
 */
export const shareKey = z.string().max(512).optional();

export const SiteSpace = z
  .object({
    object: z.literal("site-space"),
    id: z.string(),
    path: z.string(),
    space,
    title: z.string(),
    default: z.boolean(),
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
  /** true: only the default one; false: only the others. */
  default: z.boolean().optional(),
});
export const SiteSpaceList = listOf(SiteSpace);

export const Add = OneSite.extend({ spaceId: id, sectionId: id.optional() });
