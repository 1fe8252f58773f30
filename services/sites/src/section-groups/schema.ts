import { icon, id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite, positionOf } from "../access/schema.js";
import { SiteSection } from "../sections/schema.js";

const title = text(100, 1);

export const SiteSectionGroup = z
  .object({
    object: z.literal("site-section-group"),
    id: z.string(),
    title: z.string(),
    /** The sections that lie directly in it. */
    sections: z.array(SiteSection),
    /** The group that it lies in. */
    sectionGroup: z.string().optional(),
    /** Sections and groups in their order; only where groups lie in it. */
    get children(): z.ZodOptional<
      z.ZodArray<z.ZodUnion<readonly [typeof SiteSection, typeof SiteSectionGroup]>>
    > {
      return z.array(z.union([SiteSection, SiteSectionGroup])).optional();
    },
    icon: z.string().optional(),
  })
  .meta({ id: "SiteSectionGroup" });
export type SiteSectionGroup = z.output<typeof SiteSectionGroup>;

export const List = OneSite.extend({ ...paging });
export const SiteSectionGroupList = listOf(SiteSectionGroup);

export const Create = OneSite.extend({
  title,
  icon: icon.nullable().optional(),
  /** Sections that are put into it, in this order. */
  sections: z
    .array(id)
    .max(1000)
    .refine((ids) => new Set(ids).size === ids.length, "must not name a section twice")
    .optional(),
  /** The group that it lies in. */
  parent: id.nullable().optional(),
});
export const OneGroup = OneSite.extend({ siteSectionGroupId: id });
export const Update = OneGroup.extend({
  title: title.optional(),
  icon: icon.nullable().optional(),
  /** The group that it shall lie in; `null` is the root. */
  parent: id.nullable().optional(),
});

export const AddSection = OneGroup.extend({ sectionId: id });
export const RemoveSection = OneGroup.extend({ siteSectionId: id });

const pointer = z.object({ type: z.enum(["site-section", "site-section-group"]), id });
export const Move = OneGroup.extend({ position: positionOf(pointer).optional() });
