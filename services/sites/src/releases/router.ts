import { noContent } from "@octavo/shared/contracts/fields";
import { OneSite } from "../access/schema.js";
import { Site } from "../sites/schema.js";
import { del, get, patch, post, router } from "../trpc.js";
import { create } from "./rules/create.js";
import { rollback } from "./rules/rollback.js";
import * as rules from "./rules.js";
import {
  Create,
  List,
  OneRelease,
  SiteRelease,
  SiteReleaseContent,
  SiteReleaseList,
  Update,
} from "./schema.js";

const all = "/orgs/{organizationId}/sites/{siteId}/releases" as const;
const one = `${all}/{siteReleaseId}` as const;
const decided = "And `space.admin` on every space that the site shows.";

// An extension: the API that Octavo follows has no releases.
export const releases = router({
  list: get(all, {
    operationId: "listSiteReleases",
    permission: "site.view",
    summary: "List the releases of a site, newest first",
  })
    .input(List)
    .output(SiteReleaseList)
    .query(rules.list),
  create: post(all, {
    operationId: "createSiteRelease",
    permission: "site.publish",
    also: "To pin it at once, `space.admin` on every space that the site shows as well.",
    summary: "Record the current revisions of all spaces of a site as a release",
  })
    .input(Create)
    .output(SiteRelease)
    .mutation(create),
  get: get(one, {
    operationId: "getSiteReleaseById",
    permission: "site.view",
    summary: "Get a release of a site, with the revisions that it holds",
  })
    .input(OneRelease)
    .output(SiteReleaseContent)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateSiteReleaseById",
    permission: "site.publish",
    summary: "Rename a release of a site",
  })
    .input(Update)
    .output(SiteRelease)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteSiteReleaseById",
    permission: "site.publish",
    summary: "Delete a release of a site that is not pinned",
  })
    .input(OneRelease)
    .output(noContent)
    .mutation(rules.remove),
  pin: post(`${one}/pin`, {
    status: 200,
    operationId: "pinSiteRelease",
    permission: "site.publish",
    also: decided,
    summary: "Show the readers of a site a release",
  })
    .input(OneRelease)
    .output(SiteRelease)
    .mutation(rules.pin),
  unpin: post(`${all}/unpin`, {
    status: 200,
    operationId: "unpinSiteRelease",
    permission: "site.publish",
    also: decided,
    summary: "Show the readers of a site the current content of its spaces",
  })
    .input(OneSite)
    .output(Site)
    .mutation(rules.unpin),
  rollback: post(`${all}/rollback`, {
    status: 200,
    operationId: "rollbackSiteRelease",
    permission: "site.publish",
    also: decided,
    summary: "Show the readers of a site the release that they were shown before",
  })
    .input(OneSite)
    .output(SiteRelease)
    .mutation(rollback),
});
