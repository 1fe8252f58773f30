import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite, positionOf, shareKey } from "../access/schema.js";
import { SiteSectionGroup } from "../section-groups/schema.js";
import { SiteSection } from "../sections/schema.js";
import { SiteSpace } from "../site-spaces/schema.js";

export const SiteStructure = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("sections"),
      /** Sections and groups in the order in which they are shown. */
      structure: z.array(z.union([SiteSection, SiteSectionGroup])),
    }),
    z.object({ type: z.literal("siteSpaces"), structure: z.array(SiteSpace) }),
  ])
  .meta({ id: "SiteStructure" });
export type SiteStructure = z.output<typeof SiteStructure>;

export const SiteStructureItem = z
  .union([SiteSpace, SiteSection, SiteSectionGroup])
  .meta({ id: "SiteStructureItem" });
export type SiteStructureItem = z.output<typeof SiteStructureItem>;

export const Get = OneSite.extend({ shareKey });

const pointer = z.object({ type: z.enum(["site-space", "site-section", "site-section-group"]), id });
export const Sort = OneSite.extend({ item: pointer, position: positionOf(pointer).optional() });
