import { z } from "zod";
import { hostname } from "../organizations/schema.js";

export const Get = z.object({ subdomain: hostname });

/** A name below the platform's own domain, and whose it is. */
export const Subdomain = z
  .object({
    object: z.literal("subdomain"),
    subdomain: z.string(),
    target: z.object({ type: z.literal("organization"), organization: z.string() }),
    isActive: z.boolean(),
  })
  .meta({ id: "Subdomain" });
