import { serviceClient, within } from "@octavo/shared/client";
import type { SitesRouter } from "@octavo/sites/client";
import type { Requester, Sites } from "./sites.js";

const WAIT_MS = 5_000;
/** A page of offers is many small changes, and nobody waits for it. */
const OFFER_MS = 30_000;

interface Neighbour {
  url: string;
  ownIdentity: () => Promise<string>;
}

/** sites at an address. What cannot be asked there, or not in time, ends with 503. */
export function sitesAt({ url, ownIdentity }: Neighbour): Sites {
  const as = ({ identity, requestId }: Requester) =>
    serviceClient<SitesRouter>({
      url,
      identity: () => identity ?? ownIdentity(),
      requestId: () => requestId,
    });
  return {
    sites: (asking, ids) => as(asking).sites.lookup.query({ ids }, { signal: within(WAIT_MS) }),
    site: (asking, organizationId, siteId) =>
      as(asking).sites.get.query({ organizationId, siteId }, { signal: within(WAIT_MS) }),
    offerVisitorAuth: (asking, offered) =>
      as(asking).visitorIntegrations.replace.mutate(offered, { signal: within(OFFER_MS) }),
    handDownScript: (asking, handed) =>
      as(asking).injectedScripts.replace.mutate(handed, { signal: within(OFFER_MS) }),
  };
}
