import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** What an installation puts into pages. */
const script = z.object({
  /** The name of the integration. */
  integration: text(1024, 1),
  contentSecurityPolicy: text(500_000).optional(),
  /** Whether it may set cookies. */
  cookies: z.boolean(),
  /** Whether it works on all sites of its organization, but for those that say otherwise. */
  everywhere: z.boolean(),
});

/**
 * What an installation puts into pages now, absent where that is nothing; and the sites that it is installed on by
 * itself, of those with ids above one and up to another, else of all.
 */
export const Replace = z.object({
  installation: id,
  organization: id,
  script: script.optional(),
  above: id.optional(),
  upTo: id.optional(),
  places: z.array(z.object({ site: id, works: z.boolean() })).max(1000),
});
