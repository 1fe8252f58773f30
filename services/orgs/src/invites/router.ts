import { noContent } from "@octavo/shared/fields";
import { del, get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Accept, Accepted, Invites, Join, List, Revoke, Send, Sent } from "./schema.js";

export const invites = router({
  send: post("/orgs/{organizationId}/invites", { status: 200, operationId: "inviteUsersToOrganization" })
    .input(Send)
    .output(Sent)
    .mutation(rules.send),
  list: get("/orgs/{organizationId}/invites", { operationId: "listOrganizationInvites" })
    .input(List)
    .output(Invites)
    .query(rules.list),
  accept: post("/orgs/{organizationId}/invites/{inviteId}", {
    status: 200,
    operationId: "joinOrganizationWithInvite",
  })
    .input(Accept)
    .output(Accepted)
    .mutation(rules.accept),
  revoke: del("/orgs/{organizationId}/invites/{inviteId}", { operationId: "revokeOrganizationInvite" })
    .input(Revoke)
    .output(noContent)
    .mutation(rules.revoke),
  join: post("/orgs/{organizationId}/join", { status: 204, operationId: "joinOrganization" })
    .input(Join)
    .output(noContent)
    .mutation(rules.join),
});
