import { encodeCursor } from "@octavo/shared/contracts/cursor";
import type { Organization } from "@octavo/shared/contracts/schemas/organization";
import { decodeCursor } from "@octavo/shared/cursor";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import type { Joined, KeptLink, Membership, Orgs } from "../orgs/orgs.js";

/** Stands in for orgs: members and teams in memory, in the order in which they were added. */
export function orgsInMemory() {
  const members = new Map<string, Joined[]>();
  const teams = new Map<string, string>();
  const gone = new Set<string>();
  const accepted: string[] = [];
  const of = (organization: string) => members.get(organization) ?? [];
  const user = (id: string) => ({
    object: "user" as const,
    id,
    displayName: `Name of ${id}`,
    urls: { location: `http://octavo.test/v1/users/${id}` },
  });

  const team = (id: string) => ({
    object: "team" as const,
    id,
    title: `Title of ${id}`,
    members: [...members.values()].flat().filter((one) => one.teams.includes(id)).length,
    spaces: 0,
    createdAt: "2026-01-01T00:00:00.000Z",
    permissions: { admin: false, view: true },
  });

  const profile = (one: Membership) => ({
    object: "member" as const,
    id: one.user,
    role: one.role,
    user: user(one.user),
    disabled: false,
    joinedAt: "2026-01-01T00:00:00.000Z",
    sso: false,
    spaces: 0,
    teams: one.teams.length,
  });

  const organization = (id: string): Organization => ({
    object: "organization",
    id,
    title: `Title of ${id}`,
    createdAt: "2026-01-01T00:00:00.000Z",
    emailDomains: [],
    type: "business",
    inviteLinks: true,
    plan: "free_2024",
    urls: { location: `http://octavo.test/v1/orgs/${id}`, app: `http://app.test/o/${id}` },
    trial: { status: "notapplicable" },
    permissions: {
      view: true,
      admin: false,
      ownTeam: false,
      createContent: false,
      createOpenAPISpec: false,
      ingestConversations: false,
      viewBilling: false,
      listMembers: false,
      listTeams: false,
      listIntegrations: false,
      listInstallations: false,
      installIntegration: false,
    },
  });

  const orgs: Orgs = {
    organizations: async (_, ids) => ids.map(organization),
    users: async (_, ids) =>
      ids.filter((id) => [...members.values()].flat().some((one) => one.user === id)).map(user),
    memberships: async (_, organization, { users = [], teams = [] }) =>
      of(organization).filter(
        (member) => users.includes(member.user) || member.teams.some((team) => teams.includes(team)),
      ),
    // Of who was never made a member, the identity is believed.
    membership: async (_, organization, { id, organizations, teams }) =>
      gone.has(`${organization} ${id}`)
        ? undefined
        : (of(organization).find(({ user }) => user === id) ?? {
            user: id,
            role: organizations[organization] ?? null,
            teams,
          }),
    teams: async (_, ids) => ids.filter((id) => teams.has(id)).map(team),
    teamsIn: async (_, organization, ids) => ids.filter((id) => teams.get(id) === organization),
    members: async (_, organization, { roles, except, users, ...paging }) => {
      const chosen = of(organization).filter(
        (member) =>
          (roles.includes(member.role) && !except.includes(member.user)) || users.includes(member.user),
      );
      return pageOf(chosen, paging, (one) => ({ user: user(one.user), role: one.role }));
    },
    profiles: async (_, organization, users, paging) => {
      const chosen = of(organization).filter((member) => users.includes(member.user));
      return pageOf(chosen, paging, profile);
    },
    ...linksInMemory(accepted),
  };
  return {
    orgs,
    /** Makes somebody a member, or another one than before. */
    member: (organization: string, member: Membership & { joinedAt?: string }) => {
      gone.delete(`${organization} ${member.user}`);
      members.set(organization, [
        ...of(organization).filter(({ user }) => user !== member.user),
        { joinedAt: "2026-01-01T00:00:00.000Z", ...member },
      ]);
    },
    /** Ends a membership. */
    leave: (organization: string, user: string) => {
      members.set(
        organization,
        of(organization).filter((member) => member.user !== user),
      );
      gone.add(`${organization} ${user}`);
    },
    team: (organization: string, id: string) => teams.set(id, organization),
    /** The invites that let somebody in. */
    accepted,
    clear: () => {
      members.clear();
      gone.clear();
      teams.clear();
    },
  };
}

function pageOf<Item>(
  all: Membership[],
  { page, limit }: { page?: string; limit: number },
  view: (one: Membership) => Item,
) {
  const start = page === undefined ? 0 : Number(decodeCursor(page, 1)[0]);
  const items = all.slice(start, start + limit).map(view);
  const end = start + items.length;
  return { items, count: all.length, ...(end < all.length && { next: { page: encodeCursor([end]) } }) };
}

/** The links into organizations, without regard to who asks. */
function linksInMemory(accepted: string[]): Pick<Orgs, "linkInvites" | "invites"> {
  const links = new Map<string, KeptLink & { organization: string }>();
  const find = (organization: string, id: string) => {
    const link = found(links.get(id), "Invite");
    if (link.organization !== organization) refuse("NOT_FOUND", "Invite: not found");
    return link;
  };
  return {
    linkInvites: {
      list: async (_, organization, { target, roles }) => {
        const items = [...links.values()].filter(
          (link) =>
            link.organization === organization &&
            link.target?.id === target?.id &&
            (!roles || link.role === null || roles.includes(link.role)),
        );
        return { items, count: items.length };
      },
      get: async (_, organization, id) => find(organization, id),
      create: async (_, organization, input) => {
        const link = { id: newId(), organization, redundant: false, ...input };
        links.set(link.id, link);
        return link;
      },
      update: async (_, organization, { inviteId, role }) =>
        Object.assign(find(organization, inviteId), { role }),
      remove: async (_, organization, id) => {
        if (links.get(id)?.organization === organization) links.delete(id);
      },
    },
    invites: {
      target: async (_, organization, id) => {
        const link = links.get(id);
        return (link?.organization === organization && link.target) || null;
      },
      accept: async (_, organization, id) => {
        accepted.push(find(organization, id).id);
      },
    },
  };
}
