import { serviceClient } from "@octavo/shared/client";
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
  const as = ({ identity, requestId }: Requester, timeoutMs: number) =>
    serviceClient<SitesRouter>({
      url,
      timeoutMs,
      identity: () => identity ?? ownIdentity(),
      requestId: () => requestId,
    });
  return {
    sites: (asking, ids) => as(asking, WAIT_MS).sites.lookup.query({ ids }),
    site: (asking, organizationId, siteId) => as(asking, WAIT_MS).sites.get.query({ organizationId, siteId }),
    offerVisitorAuth: (asking, offered) => as(asking, OFFER_MS).visitorIntegrations.replace.mutate(offered),
    handDownScript: (asking, handed) => as(asking, OFFER_MS).injectedScripts.replace.mutate(handed),
  };
}
