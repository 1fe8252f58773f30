import { serviceClient } from "@octavo/shared/client";
import type { TRPCClient } from "@trpc/client";
import type { SitesRouter } from "./router.js";

export type { SitesRouter };

export type SitesClient = TRPCClient<SitesRouter>;

/** A typed client of sites: `await sites.sites.lookup.query({ ids })`. */
export function sitesClient(options: Parameters<typeof serviceClient>[0]): SitesClient {
  return serviceClient<SitesRouter>(options);
}
