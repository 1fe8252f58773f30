import { timestamp, z } from "@octavo/shared/fields";
import { scope } from "../integrations/manifest.js";

export const Resolve = z.object({ token: z.string().max(512) });

/**
 * What a token stands for. One of an integration acts as the integration itself; one of an installation acts in the
 * organization that installed it, with what the integration's scopes allow.
 */
export const Resolved = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("integration"),
      integration: z.string(),
      organization: z.string(),
      scopes: z.array(scope),
      expiresAt: timestamp,
    }),
    z.object({
      kind: z.literal("installation"),
      integration: z.string(),
      installation: z.string(),
      organization: z.string(),
      scopes: z.array(scope),
      expiresAt: timestamp,
    }),
  ])
  .nullable();
