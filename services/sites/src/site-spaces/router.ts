import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Add, List, SiteSpace, SiteSpaceList } from "./schema.js";

export const siteSpaces = router({
  list: get("/orgs/{organizationId}/sites/{siteId}/site-spaces", {
    operationId: "listSiteSpaces",
    permission: "site.view",
    summary: "List the spaces that a site shows",
  })
    .input(List)
    .output(SiteSpaceList)
    .query(rules.list),
  add: post("/orgs/{organizationId}/sites/{siteId}/site-spaces", {
    operationId: "addSpaceToSite",
    permission: "site.addSpace",
    also: "And `space.admin` on the space.",
    summary: "Show a space on a site",
  })
    .input(Add)
    .output(SiteSpace)
    .mutation(rules.add),
});
