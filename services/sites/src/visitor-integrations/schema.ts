import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** What an installation offers a site. */
const offer = z.object({
  site: id,
  /** The name of the integration. */
  integration: text(1024, 1),
  /** Where visitors are sent to sign in. */
  address: z.url().max(4096),
  /** What it signs their tokens with, sealed as the keys of sites are. */
  key: z.string(),
});
export type Offer = z.output<typeof offer>;

/** All that an installation offers now to the sites with ids above one and up to another, else to all sites. */
export const Replace = z.object({
  installation: id,
  organization: id,
  above: id.optional(),
  upTo: id.optional(),
  offers: z.array(offer).max(1000),
});
