import { noContent } from "@octavo/shared/fields";
import { del, get, patch, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Create, Get, Link, Links, List, Update } from "./schema.js";

const LINKS = "/orgs/{organizationId}/link-invites";

export const linkInvites = router({
  list: get(LINKS, { operationId: "listOrganizationInviteLinks" })
    .input(List)
    .output(Links)
    .query(rules.list),
  create: post(LINKS, { operationId: "createOrganizationInvite" })
    .input(Create)
    .output(Link)
    .mutation(rules.create),
  get: get(`${LINKS}/{inviteId}`, { operationId: "getOrganizationInviteLink" })
    .input(Get)
    .output(Link)
    .query(rules.get),
  update: patch(`${LINKS}/{inviteId}`, { operationId: "updateOrganizationInviteById" })
    .input(Update)
    .output(Link)
    .mutation(rules.update),
  remove: del(`${LINKS}/{inviteId}`, { operationId: "deleteOrganizationInviteById" })
    .input(Get)
    .output(noContent)
    .mutation(rules.remove),
});
