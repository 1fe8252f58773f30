import { z } from "zod";
import { OneSite } from "../access/schema.js";
import { SiteAdaptiveJSONSchema } from "../claims/schema.js";

export const SiteAdaptiveSchema = z
  .object({
    object: z.literal("site-adaptive-schema"),
    jsonSchema: SiteAdaptiveJSONSchema,
    updatedAt: z.string(),
  })
  .meta({ id: "SiteAdaptiveSchema" });
export type SiteAdaptiveSchema = z.output<typeof SiteAdaptiveSchema>;

export const Update = OneSite.extend({ jsonSchema: SiteAdaptiveJSONSchema });

const condition = z
  .object({ description: z.string(), condition: z.string() })
  .meta({ id: "SiteAdaptiveTemplateCondition" });
export const TemplateConditions = z
  .object({ items: z.array(condition) })
  .meta({ id: "SiteAdaptiveTemplateConditions" });
