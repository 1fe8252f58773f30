import type { OrgsRouter } from "@octavo/orgs/client";
import { serviceClient } from "@octavo/shared/client";
import type { Orgs, Requester } from "./orgs.js";

const WITHIN_MS = 10_000;

interface Neighbour {
  url: string;
  ownIdentity: () => Promise<string>;
}

/** orgs at an address. What cannot be asked there, or not in time, ends with 503. */
export function orgsAt({ url, ownIdentity }: Neighbour): Orgs {
  const client = (identity: () => Promise<string>, { requestId, ip }: Requester) =>
    serviceClient<OrgsRouter>({
      url,
      identity,
      timeoutMs: WITHIN_MS,
      requestId: () => requestId,
      ip: () => ip,
    });
  const asUser = (asking: Requester) => {
    const { identity } = asking;
    return client(identity === undefined ? ownIdentity : async () => identity, asking);
  };
  const asSelf = (asking: Requester) => client(ownIdentity, asking);

  return {
    users: (asking, ids) => asUser(asking).users.lookup.query({ ids }, read(asking)),
    organizations: (asking, ids) => asUser(asking).organizations.lookup.query({ ids }, read(asking)),
    teams: (asking, ids) => asUser(asking).teams.lookup.query({ ids }, read(asking)),
    memberships: (asking, organizationId, who) =>
      asSelf(asking).memberships.find.query({ organizationId, ...who }, read(asking)),
    membership: async (asking, organizationId, { id }) => {
      const who = { organizationId, users: [id] };
      return (await asSelf(asking).memberships.find.query(who, read(asking)))[0];
    },
    teamsIn: (asking, organizationId, teams) =>
      asSelf(asking).memberships.teams.query({ organizationId, teams }, read(asking)),
    members: (asking, organizationId, { roles, ...choice }) =>
      asSelf(asking).memberships.list.query(
        { organizationId, roles: roles.map((role) => role ?? "guest"), ...choice },
        read(asking),
      ),
    profiles: (asking, organizationId, users, paging) =>
      asSelf(asking).members.lookup.query({ organizationId, users, ...paging }, read(asking)),
    linkInvites: {
      list: (asking, organizationId, input) =>
        // Who sees the links to content is decided here; orgs knows nothing of it.
        (input.target ? asSelf : asUser)(asking).linkInvites.list.query(
          { organizationId, ...input },
          read(asking),
        ),
      get: (asking, organizationId, inviteId) =>
        asUser(asking).linkInvites.get.query({ organizationId, inviteId }, read(asking)),
      create: (asking, organizationId, input) =>
        asUser(asking).linkInvites.create.mutate({ organizationId, ...input }),
      update: (asking, organizationId, input) =>
        asUser(asking).linkInvites.update.mutate({ organizationId, ...input }),
      remove: async (asking, organizationId, inviteId) => {
        await asUser(asking).linkInvites.remove.mutate({ organizationId, inviteId });
      },
    },
    invites: {
      target: (asking, organizationId, inviteId) =>
        asSelf(asking).invites.target.query({ organizationId, inviteId }, read(asking)),
      accept: async (asking, organizationId, inviteId) => {
        await asUser(asking).invites.accept.mutate({ organizationId, inviteId });
      },
    },
  };
}

/** Writes are not given up when the client goes away: only their response says what they did. */
const read = ({ signal }: Requester) => ({ signal });
