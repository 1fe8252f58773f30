import { timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const Resolve = z.object({ token: z.string().max(512) });

/** What a token stands for, as a caller. */
export const Resolved = z
  .object({
    caller: z.object({
      kind: z.literal("integration"),
      integration: z.string(),
      installation: z.string().optional(),
      organization: z.string(),
      scopes: z.array(z.string()),
      token: z.string(),
    }),
    expiresAt: timestamp,
  })
  .nullable();

/** The only answer that holds the token. */
export const TemporaryToken = z.object({ token: z.string() }).meta({ id: "APITemporaryToken" });
