import { post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Search, SiteSearchResults } from "./schema.js";

export const search = router({
  search: post("/orgs/{organizationId}/sites/{siteId}/search", {
    status: 200,
    operationId: "searchSiteContent",
    permission: "site.view",
    also: "Only pages of spaces that you can read are found.",
    summary: "Search the pages of a site",
    query: ["page", "limit", "shareKey"],
    reader: true,
  })
    .input(Search)
    .output(SiteSearchResults)
    .query(rules.search),
});
