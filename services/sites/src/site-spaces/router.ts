import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Add, List, SiteSpace, SiteSpaceList } from "./schema.js";

export const siteSpaces = router({
  list: get("/orgs/{organizationId}/sites/{siteId}/site-spaces", { operationId: "listSiteSpaces" })
    .input(List)
    .output(SiteSpaceList)
    .query(rules.list),
  add: post("/orgs/{organizationId}/sites/{siteId}/site-spaces", { operationId: "addSpaceToSite" })
    .input(Add)
    .output(SiteSpace)
    .mutation(rules.add),
});
