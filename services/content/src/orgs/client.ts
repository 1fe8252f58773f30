import type { OrgsRouter } from "@octavo/orgs/router";
import { serviceClient } from "@octavo/shared/client";
import type { Asking, Orgs } from "./orgs.js";

const WITHIN_MS = 10_000;

interface Neighbour {
  url: string;
  ownIdentity: () => Promise<string>;
}

/** orgs at an address. What cannot be asked there, or not in time, ends with 503. */
export function orgsAt({ url, ownIdentity }: Neighbour): Orgs {
  const client = (identity: () => Promise<string>, requestId: string) =>
    serviceClient<OrgsRouter>({ url, identity, requestId: () => requestId });
  const asUser = ({ identity, requestId }: Asking) =>
    client(identity === undefined ? ownIdentity : async () => identity, requestId);
  const asSelf = ({ requestId }: Asking) => client(ownIdentity, requestId);

  return {
    users: (asking, ids) => asUser(asking).users.lookup.query({ ids }, within(asking)),
    organizations: (asking, ids) => asUser(asking).organizations.lookup.query({ ids }, within(asking)),
    teams: (asking, ids) => asUser(asking).teams.lookup.query({ ids }, within(asking)),
    memberships: (asking, organizationId, who) =>
      asSelf(asking).memberships.find.query({ organizationId, ...who }, within(asking)),
    teamsIn: (asking, organizationId, teams) =>
      asSelf(asking).memberships.teams.query({ organizationId, teams }, within(asking)),
    members: (asking, organizationId, { roles, ...choice }) =>
      asSelf(asking).memberships.list.query(
        { organizationId, roles: roles.map((role) => role ?? "guest"), ...choice },
        within(asking),
      ),
    profiles: (asking, organizationId, users, paging) =>
      asSelf(asking).members.lookup.query({ organizationId, users, ...paging }, within(asking)),
  };
}

function within({ signal }: Asking) {
  const late = AbortSignal.timeout(WITHIN_MS);
  return { signal: signal ? AbortSignal.any([signal, late]) : late };
}
