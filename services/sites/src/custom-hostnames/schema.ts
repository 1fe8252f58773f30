import { text, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** What is no hostname is no site's. */
export const One = z.object({ hostname: text(512, 1).toLowerCase() });

export const Lookup = z.object({ hostname: z.string().max(512) });
export const Owner = z.object({ site: z.string(), organization: z.string() }).nullable();

export const CustomHostname = z
  .object({
    object: z.literal("custom-hostname"),
    hostname: z.string(),
    target: z.object({ type: z.literal("site"), site: z.string() }),
    /** Whether the site is published under it. */
    isActive: z.boolean(),
    /** What the DNS held when it was asked last; absent until then. */
    status: z.enum(["dns_passed", "dns_wrong_cname", "dns_no_cname"]).optional(),
    /** What the DNS has to hold for the hostname to be the site's. */
    record: z.object({ type: z.literal("TXT"), name: z.string(), value: z.string() }),
    urls: urls("location"),
  })
  .meta({ id: "CustomHostname" });
export type CustomHostname = z.output<typeof CustomHostname>;
