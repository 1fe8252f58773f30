import { z } from "zod";
import { OneSite } from "../access/schema.js";

const topic = z.enum(["webdev", "crypto"]);

/** Where the ads of a site stand. */
export const SiteAds = z
  .discriminatedUnion("status", [
    /** Nobody has asked for them yet; `submittable` says whether the site is shown to everybody, as it has to be. */
    z.object({ status: z.literal("pending"), submittable: z.boolean() }),
    z.object({ status: z.literal("in-review"), topic }),
    z.object({ status: z.literal("rejected"), reason: z.string().optional() }),
    z.object({ status: z.literal("live"), topic, zoneId: z.string() }),
    z.object({ status: z.literal("disabled"), topic, zoneId: z.string() }),
  ])
  .meta({ id: "SiteAds" });
export type SiteAds = z.output<typeof SiteAds>;

export const Request = OneSite.extend({
  status: z.enum(["in-review", "disabled"]).optional(),
  topic: topic.optional(),
});
