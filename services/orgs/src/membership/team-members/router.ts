import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, put, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Add, List, Remove, TeamMembers, Update } from "./schema.js";

const MEMBERS = "/orgs/{organizationId}/teams/{teamId}/members";

export const teamMembers = router({
  list: get(MEMBERS, {
    operationId: "listTeamMembersInOrganizationById",
    permission: "organization.listMembers",
    also: "Who owns the team may as well.",
    summary: "List the members of a team",
  })
    .input(List)
    .output(TeamMembers)
    .query(rules.list),
  update: put(MEMBERS, {
    status: 204,
    operationId: "updateMembersInOrganizationTeam",
    permission: "team.admin",
    also: "Who owns the team may as well.",
    summary: "Add and remove several members of a team at once",
  })
    .input(Update)
    .output(noContent)
    .mutation(rules.update),
  add: put(`${MEMBERS}/{userId}`, {
    status: 204,
    operationId: "addMemberToOrganizationTeamById",
    permission: "team.admin",
    also: "Who owns the team may as well.",
    summary: "Add a member to a team, or change their role in it",
  })
    .input(Add)
    .output(noContent)
    .mutation(rules.add),
  remove: del(`${MEMBERS}/{userId}`, {
    operationId: "deleteMemberFromOrganizationTeamById",
    permission: "team.admin",
    also: "Who owns the team may as well.",
    summary: "Remove a member from a team",
  })
    .input(Remove)
    .output(noContent)
    .mutation(rules.remove),
});
