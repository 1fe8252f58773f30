import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, internal, post, router, service } from "../../trpc.js";
import { accept } from "./rules/accept.js";
import { send } from "./rules/send.js";
import * as rules from "./rules.js";
import { Accept, Accepted, Invites, Join, List, Revoke, Send, Sent, Target } from "./schema.js";

export const invites = router({
  send: post("/orgs/{organizationId}/invites", {
    status: 200,
    operationId: "inviteUsersToOrganization",
    permission: "organization.admin",
    summary: "Invite people to an organization by their e-mail addresses",
  })
    .input(Send)
    .output(Sent)
    .mutation(send),
  list: get("/orgs/{organizationId}/invites", {
    operationId: "listOrganizationInvites",
    permission: "organization.admin",
    summary: "List the invites of an organization that nobody has accepted yet",
  })
    .input(List)
    .output(Invites)
    .query(rules.list),
  /** Not public: content calls these, after it made sure that what a link leads to is there. */
  target: service("content").input(Accept).output(Target.nullable()).query(rules.target),
  accept: internal({ services: [], permission: { none: "the invite decides" } })
    .input(Accept)
    .output(Accepted)
    .mutation(accept),
  revoke: del("/orgs/{organizationId}/invites/{inviteId}", {
    operationId: "revokeOrganizationInvite",
    permission: "organization.admin",
    summary: "Revoke an invite to an organization",
  })
    .input(Revoke)
    .output(noContent)
    .mutation(rules.revoke),
  join: post("/orgs/{organizationId}/join", {
    status: 204,
    operationId: "joinOrganization",
    permission: { none: "the verified domain of your e-mail address decides" },
    summary: "Join an organization that owns the domain of your e-mail address",
  })
    .input(Join)
    .output(noContent)
    .mutation(rules.join),
});
