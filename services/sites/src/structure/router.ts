import { get, patch, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Get, SiteStructure, SiteStructureItem, Sort } from "./schema.js";

const one = "/orgs/{organizationId}/sites/{siteId}/structure";

export const structure = router({
  get: get(one, {
    operationId: "getSiteStructure",
    permission: "site.view",
    summary: "Get the sections, groups and spaces of a site",
    reader: true,
  })
    .input(Get)
    .output(SiteStructure)
    .query(rules.get),
  sort: patch(`${one}/sort`, {
    operationId: "sortSiteStructure",
    permission: "site.update",
    summary: "Move anything of a site's structure",
  })
    .input(Sort)
    .output(SiteStructureItem)
    .mutation(rules.sort),
});
