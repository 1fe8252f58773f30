import { noContent } from "@octavo/shared/fields";
import { del, get, put, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Add, List, Remove, TeamMembers, Update } from "./schema.js";

const MEMBERS = "/orgs/{organizationId}/teams/{teamId}/members";

export const teamMembers = router({
  list: get(MEMBERS, { operationId: "listTeamMembersInOrganizationById" })
    .input(List)
    .output(TeamMembers)
    .query(rules.list),
  update: put(MEMBERS, { status: 204, operationId: "updateMembersInOrganizationTeam" })
    .input(Update)
    .output(noContent)
    .mutation(rules.update),
  add: put(`${MEMBERS}/{userId}`, { status: 204, operationId: "addMemberToOrganizationTeamById" })
    .input(Add)
    .output(noContent)
    .mutation(rules.add),
  remove: del(`${MEMBERS}/{userId}`, { operationId: "deleteMemberFromOrganizationTeamById" })
    .input(Remove)
    .output(noContent)
    .mutation(rules.remove),
});
