import { ROLES } from "@octavo/shared/contracts/roles";
import { flagProblems, isLetThrough } from "@octavo/shared/testing/flags";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "./testing/orgs.js";

// What a response lets the caller do, held against the operations themselves: for every flag of an
// organization, a team and a member of a team the operation that it stands for is called, by everybody.

const { rows, as, end } = await startOrgs();
afterAll(end);

/** Guarded by content and integrations, whose own tests hold them against their operations, or planned. */
const ELSEWHERE = [
  "createContent",
  "createOpenAPISpec",
  "listIntegrations",
  "listInstallations",
  "installIntegration",
  "ingestConversations",
  "viewBilling",
];

const people = [...ROLES, null, undefined].flatMap((role) =>
  ([undefined, "member", "owner"] as const)
    .filter((inTeam) => role !== undefined || inTeam === undefined)
    .map((inTeam) => ({ role, inTeam })),
);

test.each(people)(
  "the flags for the role $role who is $inTeam of a team are what the operations do",
  async ({ role, inTeam }) => {
    const organizationId = await rows.organization();
    const other = await rows.member({ organization: organizationId });
    const { id, call } = await as(role === undefined ? {} : { [organizationId]: role });
    const teamId = await rows.team(organizationId, { [other]: "member", ...(inTeam && { [id]: inTeam }) });
    const team = { organizationId, teamId };
    const changeTeam = () => call.teamMembers.update({ ...team, add: [], remove: [], memberships: {} });

    const organization = await call.organizations.get({ organizationId }).catch(() => undefined);
    const onOrganization = {
      view: () => isLetThrough(call.organizations.get({ organizationId })),
      admin: () => isLetThrough(call.organizations.update({ organizationId, title: "Renamed" })),
      listMembers: () => isLetThrough(call.members.list({ organizationId, limit: 1 })),
      listTeams: () => isLetThrough(call.teams.list({ organizationId, limit: 1 })),
      // Who owns a team changes who is in it without being an administrator.
      ownTeam: async () => inTeam === "owner" && (await isLetThrough(changeTeam())),
    };
    expect(await flagProblems(organization?.permissions, onOrganization, ELSEWHERE)).toEqual([]);

    const shown = await call.teams.get(team).catch(() => undefined);
    const onTeam = {
      view: () => isLetThrough(call.teams.get(team)),
      admin: () => isLetThrough(changeTeam()),
    };
    expect(await flagProblems(shown?.permissions, onTeam)).toEqual([]);

    const listed = await call.teamMembers.list({ ...team, limit: 10 }).catch(() => undefined);
    for (const { permissions } of listed?.items ?? []) {
      expect(permissions).toEqual({ view: await isLetThrough(call.teamMembers.list({ ...team, limit: 1 })) });
    }
  },
);
