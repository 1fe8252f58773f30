import { httpUrl, text } from "@octavo/shared/contracts/fields";
import { readUrl } from "@octavo/shared/read-url";
import { z } from "zod";
import { OneSite } from "../access/schema.js";

const backend = z.enum(["custom", "integration"]);
/** Visitors are sent there with the parameter `location`: where they wanted to go. */
const fallbackURL = httpUrl.refine(
  (address) => !readUrl(address)?.searchParams.has("location"),
  "must not have a parameter `location`, which is added to it",
);

export const PublishingAuth = z
  .object({
    object: z.literal("publishing-auth"),
    backend,
    privateKey: z.string(),
    fallbackURL: z.string().optional(),
    integration: z.string().optional(),
  })
  .meta({ id: "SitePublishingAuth" });
export type PublishingAuth = z.output<typeof PublishingAuth>;

export const Update = OneSite.extend({
  backend,
  fallbackURL: fallbackURL.nullable().optional(),
  /** Which one, where several are installed on the site for it; beyond the interface. */
  integration: text(1024, 1).optional(),
});
