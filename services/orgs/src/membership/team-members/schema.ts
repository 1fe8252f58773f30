import { id, listOf, paging, permissions } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { member } from "../members/schema.js";
import { TeamMember, TeamRole } from "../teams/schema.js";

const team = { organizationId: id, teamId: id };
const MOST = 1000;
const people = z.array(id).max(MOST);

export const List = z.object({ ...team, ...paging });
/** `add` leaves the role of whoever is in the team already, `memberships` sets it. */
export const Update = z.object({
  ...team,
  add: people.default([]),
  memberships: z
    .record(z.string(), TeamMember)
    .refine((map) => Object.keys(map).length <= MOST, `must name at most ${MOST} users`)
    .default({}),
  remove: people.default([]),
});
export const Add = z.object({ ...team, userId: id, role: TeamRole.optional() });
export const Remove = z.object({ ...team, userId: id });

const OrganizationTeamMember = z
  .object({ organization: member, team: TeamMember, permissions: permissions("view") })
  .meta({ id: "OrganizationTeamMember" });
export const TeamMembers = listOf(OrganizationTeamMember);
