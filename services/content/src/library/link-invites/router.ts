import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Accept, Accepted, Create, Get, Link, Links, List, Update } from "./schema.js";

const LINKS = "/orgs/{organizationId}/link-invites";
/** Who is admitted is decided by orgs, also where content serves the operation because it holds what is shared. */
const scopesOf = "orgs";

export const linkInvites = router({
  list: get(LINKS, {
    operationId: "listOrganizationInviteLinks",
    permission: "organization.admin",
    also: "For the links to one space or collection, `space.viewInviteLinks` or `collection.viewInviteLinks` there instead.",
    summary: "List the links that invite to an organization or to what it has",
    scopesOf,
  })
    .input(List)
    .output(Links)
    .query(rules.list),
  create: post(LINKS, {
    operationId: "createOrganizationInvite",
    permission: "organization.admin",
    also: "For a link to a space or a collection, `space.admin` or `collection.admin` there as well.",
    summary: "Create a link that invites to an organization, a space or a collection",
    scopesOf,
  })
    .input(Create)
    .output(Link)
    .mutation(rules.create),
  get: get(`${LINKS}/{inviteId}`, {
    operationId: "getOrganizationInviteLink",
    permission: "organization.admin",
    summary: "Get an invite link",
    scopesOf,
  })
    .input(Get)
    .output(Link)
    .query(rules.get),
  update: patch(`${LINKS}/{inviteId}`, {
    operationId: "updateOrganizationInviteById",
    permission: "organization.admin",
    also: "For a link to a space or a collection, `space.admin` or `collection.admin` there as well.",
    summary: "Change the role or level that an invite link gives",
    scopesOf,
  })
    .input(Update)
    .output(Link)
    .mutation(rules.update),
  remove: del(`${LINKS}/{inviteId}`, {
    operationId: "deleteOrganizationInviteById",
    permission: "organization.admin",
    summary: "Delete an invite link, so that it admits nobody any more",
    scopesOf,
  })
    .input(Get)
    .output(noContent)
    .mutation(rules.remove),
  accept: post("/orgs/{organizationId}/invites/{inviteId}", {
    status: 200,
    operationId: "joinOrganizationWithInvite",
    permission: { none: "the invite decides" },
    summary: "Accept an invite, by link or by e-mail",
    scopesOf,
  })
    .input(Accept)
    .output(Accepted)
    .mutation(rules.accept),
});
