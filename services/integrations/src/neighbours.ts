import type { OrgsRouter } from "@octavo/orgs/client";
import { serviceClient } from "@octavo/shared/client";
import type { Resources } from "./trpc.js";

interface Options {
  orgsUrl: string;
  ownIdentity: () => Promise<string>;
}

/** The calls to orgs: in the name of the caller whose identity came along, else in the service's own. */
export function neighbours({ orgsUrl: url, ownIdentity }: Options): Pick<Resources, "lookUpOrganizations"> {
  return {
    lookUpOrganizations: ({ identity, requestId }, ids) =>
      serviceClient<OrgsRouter>({
        url,
        identity: () => identity ?? ownIdentity(),
        requestId: () => requestId,
      }).organizations.lookup.query({ ids }),
  };
}
