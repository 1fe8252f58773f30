import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../trpc.js";
import { getBySource } from "./rules/get-by-source.js";
import { importMany } from "./rules/import-many.js";
import * as rules from "./rules.js";
import {
  Create,
  GetBySource,
  ImportedRedirects,
  ImportMany,
  List,
  OneRedirect,
  Resolved,
  SiteRedirect,
  SiteRedirectList,
  Update,
} from "./schema.js";

const all = "/orgs/{organizationId}/sites/{siteId}/redirects" as const;

export const redirects = router({
  list: get(all, {
    operationId: "listSiteRedirects",
    permission: "site.view",
    summary: "List the redirects of a site",
  })
    .input(List)
    .output(SiteRedirectList)
    .query(rules.list),
  create: post(all, {
    operationId: "createSiteRedirect",
    permission: "site.manageRedirects",
    summary: "Create a redirect",
  })
    .input(Create)
    .output(SiteRedirect)
    .mutation(rules.create),
  importMany: post(`${all}/import`, {
    status: 200,
    operationId: "importSiteRedirects",
    permission: "site.manageRedirects",
    summary: "Create redirects, and change those whose sources there are already",
  })
    .input(ImportMany)
    .output(ImportedRedirects)
    .mutation(importMany),
  update: patch(`${all}/{siteRedirectId}`, {
    operationId: "updateSiteRedirectById",
    permission: "site.manageRedirects",
    summary: "Change a redirect",
  })
    .input(Update)
    .output(SiteRedirect)
    .mutation(rules.update),
  remove: del(`${all}/{siteRedirectId}`, {
    operationId: "deleteSiteRedirectById",
    permission: "site.manageRedirects",
    summary: "Delete a redirect",
  })
    .input(OneRedirect)
    .output(noContent)
    .mutation(rules.remove),
  getBySource: get("/orgs/{organizationId}/sites/{siteId}/redirect", {
    operationId: "getSiteRedirectBySource",
    permission: "site.view",
    summary: "Get where a path of a site leads that has no content",
    reader: true,
  })
    .input(GetBySource)
    .output(Resolved)
    .query(getBySource),
});
