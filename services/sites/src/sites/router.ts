import { noContent } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite } from "../access/schema.js";
import { del, get, internal, patch, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Create, List, Lookup, Site, SiteList, Update } from "./schema.js";

const one = "/orgs/{organizationId}/sites/{siteId}";

export const sites = router({
  list: get("/orgs/{organizationId}/sites", {
    operationId: "listSites",
    summary: "List the sites of an organization",
    scope: "site:metadata:read",
  })
    .input(List)
    .output(SiteList)
    .query(rules.list),
  create: post("/orgs/{organizationId}/sites", { operationId: "createSite", summary: "Create a site" })
    .input(Create)
    .output(Site)
    .mutation(rules.create),
  get: get(one, { operationId: "getSiteById", summary: "Get a site", scope: "site:metadata:read" })
    .input(OneSite)
    .output(Site)
    .query(rules.get),
  update: patch(one, { operationId: "updateSiteById", summary: "Change a site" })
    .input(Update)
    .output(Site)
    .mutation(rules.update),
  remove: del(one, { operationId: "deleteSiteById", summary: "Delete a site, but not the spaces it shows" })
    .input(OneSite)
    .output(noContent)
    .mutation(rules.remove),
  lookup: internal.input(Lookup).output(z.array(Site)).query(rules.lookup),
});
