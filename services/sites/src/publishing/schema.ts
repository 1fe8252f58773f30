import { z } from "zod";
import { OneSite, shareKey } from "../access/schema.js";
import { SiteCustomizationSettings } from "../customization/schema.js";
import { Site } from "../sites/schema.js";
import { SiteStructure } from "../structure/schema.js";

const script = z
  .object({ script: z.string(), contentSecurityPolicy: z.string().optional(), cookies: z.boolean() })
  .meta({ id: "SiteIntegrationScript" });

/** All that a renderer needs to show a published site. */
export const PublishedContentSite = z
  .object({
    object: z.literal("published-content-site"),
    site: Site,
    structure: SiteStructure,
    customizations: z.object({
      site: SiteCustomizationSettings,
      /** By id of the site space; those without an entry look like the site. */
      siteSpaces: z.record(z.string(), SiteCustomizationSettings),
    }),
    /** What integrations add to the pages. */
    scripts: z.array(script),
  })
  .meta({ id: "PublishedContentSite" });
export type PublishedContentSite = z.output<typeof PublishedContentSite>;

export const Published = OneSite.extend({ shareKey });
