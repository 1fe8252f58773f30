import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite } from "../access/schema.js";
import { LONGEST_RISON } from "../claims/rison.js";

export const Get = OneSite.extend({
  /** The site space to show; by default that of the site. */
  siteSpace: id.optional(),
  /** What the visitor claims, as Rison: `(plan:pro,unsigned:(beta:!t))`. */
  claims: z.string().max(LONGEST_RISON).optional(),
});

export const SitePreview = z.object({ url: z.string() }).meta({ id: "SitePreview" });
