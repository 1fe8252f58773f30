import type { OrgsRouter } from "@octavo/orgs/client";
import { serviceClient } from "@octavo/shared/client";
import type { Orgs, Requester } from "./orgs.js";

const MEMBERSHIP_MS = 5_000;

interface Neighbour {
  url: string;
  ownIdentity: () => Promise<string>;
}

/** orgs at an address. What cannot be asked there ends with 503. */
export function orgsAt({ url, ownIdentity }: Neighbour): Orgs {
  const client = (identity: () => string | Promise<string>, { requestId }: Requester, timeoutMs?: number) =>
    serviceClient<OrgsRouter>({ url, identity, requestId: () => requestId, timeoutMs });

  return {
    organizations: (asking, ids) =>
      client(() => asking.identity ?? ownIdentity(), asking).organizations.lookup.query({ ids }),
    membership: async (asking, organizationId, user) => {
      // Whoever asks holds a lock.
      const { memberships } = client(ownIdentity, asking, MEMBERSHIP_MS);
      return (await memberships.find.query({ organizationId, users: [user] }))[0];
    },
  };
}
