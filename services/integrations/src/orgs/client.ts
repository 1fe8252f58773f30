import type { OrgsRouter } from "@octavo/orgs/client";
import { serviceClient } from "@octavo/shared/client";
import type { Orgs } from "./orgs.js";

interface Neighbour {
  url: string;
  ownIdentity: () => Promise<string>;
}

/** orgs at an address. What cannot be asked there ends with 503. */
export function orgsAt({ url, ownIdentity }: Neighbour): Orgs {
  return {
    organizations: ({ identity, requestId }, ids) =>
      serviceClient<OrgsRouter>({
        url,
        identity: () => identity ?? ownIdentity(),
        requestId: () => requestId,
      }).organizations.lookup.query({ ids }),
  };
}
