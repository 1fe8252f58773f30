import { ROLES } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "./testing/orgs.js";

// What an answer says that the caller may do, held against the operations themselves: for every flag of an
// organization, a team and a member of a team the operation that it stands for is called, by everybody.

const { rows, as, end } = await startOrgs();
afterAll(end);

/** Whether an operation is not refused for want of a permission. */
const isLetThrough = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      const { status } = errorBody(error, "");
      if (status !== 403 && status !== 404) throw error;
      return false;
    },
  );

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
    const operations = {
      view: await isLetThrough(call.organizations.get({ organizationId })),
      admin: await isLetThrough(call.organizations.update({ organizationId, title: "Renamed" })),
      listMembers: await isLetThrough(call.members.list({ organizationId, limit: 1 })),
      listTeams: await isLetThrough(call.teams.list({ organizationId, limit: 1 })),
      // Who owns a team changes who is in it without being an administrator.
      ownTeam: inTeam === "owner" && (await isLetThrough(changeTeam())),
    };
    const { view, admin, listMembers, listTeams, ownTeam } = organization?.permissions ?? {
      ...{ view: false, admin: false, listMembers: false, listTeams: false, ownTeam: false },
    };
    expect({ view, admin, listMembers, listTeams, ownTeam }).toEqual(operations);

    const shown = await call.teams.get(team).catch(() => undefined);
    expect(shown?.permissions ?? { view: false, admin: false }).toEqual({
      view: await isLetThrough(call.teams.get(team)),
      admin: await isLetThrough(changeTeam()),
    });

    const listed = await call.teamMembers.list({ ...team, limit: 10 }).catch(() => undefined);
    for (const { permissions } of listed?.items ?? []) {
      expect(permissions).toEqual({ view: await isLetThrough(call.teamMembers.list({ ...team, limit: 1 })) });
    }
  },
);
