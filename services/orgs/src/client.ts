import { serviceClient } from "@octavo/shared/client";
import type { TRPCClient } from "@trpc/client";
import type { OrgsRouter } from "./router.js";

export type { OrgsRouter };

export type OrgsClient = TRPCClient<OrgsRouter>;

/** A typed client of orgs: `await orgs.organizations.lookup.query({ ids })`. */
export function orgsClient(options: Parameters<typeof serviceClient>[0]): OrgsClient {
  return serviceClient<OrgsRouter>(options);
}
