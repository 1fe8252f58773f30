import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router, service } from "../../trpc.js";
import * as changes from "./rules/update.js";
import * as rules from "./rules.js";
import { Get, List, Lookup, Members, member, Ping, Pinged, Remove, Trust, Update } from "./schema.js";

export const members = router({
  list: get("/orgs/{organizationId}/members", {
    operationId: "listMembersInOrganizationById",
    permission: "organization.listMembers",
    summary: "List the members of an organization",
  })
    .input(List)
    .output(Members)
    .query(rules.list),
  get: get("/orgs/{organizationId}/members/{userId}", {
    operationId: "getMemberInOrganizationById",
    permission: "organization.listMembers",
    also: "Of themselves, any member may.",
    summary: "Get a member of an organization",
  })
    .input(Get)
    .output(member)
    .query(rules.get),
  update: patch("/orgs/{organizationId}/members/{userId}", {
    operationId: "updateMemberInOrganizationById",
    permission: "organization.admin",
    summary: "Change the role of a member",
  })
    .input(Update)
    .output(member)
    .mutation(changes.update),
  remove: del("/orgs/{organizationId}/members/{userId}", {
    operationId: "removeMemberFromOrganizationById",
    permission: "organization.admin",
    also: "Everybody may leave by themselves.",
    summary: "Remove a member from an organization",
  })
    .input(Remove)
    .output(noContent)
    .mutation(rules.remove),
  enableSso: post("/orgs/{organizationId}/members/{userId}/sso", {
    status: 200,
    operationId: "setUserAsSSOMemberForOrganization",
    permission: "organization.admin",
    summary: "Let a member sign in through the organization's single sign-on",
  })
    .input(Trust)
    .output(member)
    .mutation(changes.enableSso),
  ping: post("/orgs/{organizationId}/ping", {
    status: 200,
    operationId: "updateOrganizationMemberLastSeenAt",
    permission: "organization.view",
    summary: "Note that you are here now, and get your visitor claims for the default site",
  })
    .input(Ping)
    .output(Pinged)
    .mutation(rules.ping),
  lookup: service("content").input(Lookup).output(Members).query(rules.lookup),
});
