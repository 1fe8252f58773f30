import { timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const Resolve = z.object({
  token: z.string().max(512),
  /** The space or the site that the request names, by which it is decided even where a reach names too many to list. */
  space: z.string().max(200).optional(),
  site: z.string().max(200).optional(),
});

const reach = z.object({ all: z.boolean(), but: z.array(z.string()) });

/** What a token stands for, as a caller. */
export const Resolved = z
  .object({
    caller: z.object({
      kind: z.literal("integration"),
      integration: z.string(),
      installation: z.string().optional(),
      organization: z.string(),
      scopes: z.array(z.string()),
      spaces: reach.optional(),
      sites: reach.optional(),
      token: z.string(),
    }),
    expiresAt: timestamp,
  })
  .nullable();

/** The only response that holds the token. */
export const TemporaryToken = z.object({ token: z.string() }).meta({ id: "APITemporaryToken" });
