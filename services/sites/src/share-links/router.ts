import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Create, List, Remove, ShareLink, ShareLinkList, Update } from "./schema.js";

const all = "/orgs/{organizationId}/sites/{siteId}/share-links" as const;
const one = `${all}/{shareLinkId}` as const;

export const shareLinks = router({
  list: get(all, {
    operationId: "listSiteShareLinks",
    permission: "site.manageShareLinks",
    also: "And `space.admin` on every space that the site shows.",
    summary: "List the share links of a site",
  })
    .input(List)
    .output(ShareLinkList)
    .query(rules.list),
  create: post(all, {
    operationId: "createSiteShareLink",
    permission: "site.manageShareLinks",
    also: "And `space.admin` on every space that the site shows.",
    summary: "Create a share link of a site",
  })
    .input(Create)
    .output(ShareLink)
    .mutation(rules.create),
  update: patch(one, {
    operationId: "updateSiteShareLinkById",
    permission: "site.manageShareLinks",
    also: "And `space.admin` on every space that the site shows, unless the link is inactive afterwards.",
    summary: "Rename, activate or deactivate a share link of a site",
  })
    .input(Update)
    .output(ShareLink)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteSiteShareLinkById",
    permission: "site.manageShareLinks",
    summary: "Delete a share link of a site",
  })
    .input(Remove)
    .output(noContent)
    .mutation(rules.remove),
});
