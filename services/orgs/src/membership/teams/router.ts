import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, internal, patch, put, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Create, Get, List, ListOfMember, Lookup, MemberTeams, Teams, team, Update } from "./schema.js";

export const teams = router({
  list: get("/orgs/{organizationId}/teams", {
    operationId: "listTeamsInOrganizationById",
    permission: "organization.listTeams",
    summary: "List the teams of an organization",
  })
    .input(List)
    .output(Teams)
    .query(rules.list),
  create: put("/orgs/{organizationId}/teams", {
    status: 201,
    operationId: "createOrganizationTeam",
    permission: "organization.admin",
    summary: "Create a team",
  })
    .input(Create)
    .output(team)
    .mutation(rules.create),
  get: get("/orgs/{organizationId}/teams/{teamId}", {
    operationId: "getTeamInOrganizationById",
    permission: "team.view",
    also: "Who is in the team may as well.",
    summary: "Get a team",
  })
    .input(Get)
    .output(team)
    .query(rules.get),
  update: patch("/orgs/{organizationId}/teams/{teamId}", {
    operationId: "updateTeamInOrganizationById",
    permission: "organization.admin",
    summary: "Rename a team",
  })
    .input(Update)
    .output(team)
    .mutation(rules.update),
  remove: del("/orgs/{organizationId}/teams/{teamId}", {
    operationId: "removeTeamFromOrganizationById",
    permission: "organization.admin",
    summary: "Delete a team, with all that was granted to it",
  })
    .input(Get)
    .output(noContent)
    .mutation(rules.remove),
  listOfMember: get("/orgs/{organizationId}/members/{userId}/teams", {
    operationId: "listTeamsForOrganizationMember",
    permission: "organization.listTeams",
    also: "Of themselves, any member may.",
    summary: "List the teams that a member belongs to",
  })
    .input(ListOfMember)
    .output(MemberTeams)
    .query(rules.listOfMember),
  lookup: internal({
    services: ["content"],
    permission: "team.view",
    also: "Who is in a team sees it, too; others are left out.",
  })
    .input(Lookup)
    .output(team.array())
    .query(rules.lookup),
});
