import { noContent } from "@octavo/shared/fields";
import { del, get, patch, post, router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { Get, List, Lookup, Members, member, Ping, Pinged, Remove, Trust, Update } from "./schema.js";

export const members = router({
  list: get("/orgs/{organizationId}/members", { operationId: "listMembersInOrganizationById" })
    .input(List)
    .output(Members)
    .query(rules.list),
  get: get("/orgs/{organizationId}/members/{userId}", { operationId: "getMemberInOrganizationById" })
    .input(Get)
    .output(member)
    .query(rules.get),
  update: patch("/orgs/{organizationId}/members/{userId}", { operationId: "updateMemberInOrganizationById" })
    .input(Update)
    .output(member)
    .mutation(rules.update),
  remove: del("/orgs/{organizationId}/members/{userId}", { operationId: "removeMemberFromOrganizationById" })
    .input(Remove)
    .output(noContent)
    .mutation(rules.remove),
  trust: post("/orgs/{organizationId}/members/{userId}/sso", {
    status: 200,
    operationId: "setUserAsSSOMemberForOrganization",
  })
    .input(Trust)
    .output(member)
    .mutation(rules.trust),
  ping: post("/orgs/{organizationId}/ping", {
    status: 200,
    operationId: "updateOrganizationMemberLastSeenAt",
  })
    .input(Ping)
    .output(Pinged)
    .mutation(rules.ping),
  lookup: service.input(Lookup).output(Members).query(rules.lookup),
});
