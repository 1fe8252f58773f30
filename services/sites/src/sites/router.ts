import { noContent } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite } from "../access/schema.js";
import { del, get, internal, patch, post, router, service } from "../trpc.js";
import { create } from "./rules/create.js";
import { publicView } from "./rules/public-view.js";
import * as rules from "./rules.js";
import { Create, List, Lookup, PublicView, Site, SiteList, Update } from "./schema.js";

const one = "/orgs/{organizationId}/sites/{siteId}";

export const sites = router({
  list: get("/orgs/{organizationId}/sites", {
    operationId: "listSites",
    permission: "site.view",
    summary: "List the sites of an organization",
    scope: "site:metadata:read",
  })
    .input(List)
    .output(SiteList)
    .query(rules.list),
  create: post("/orgs/{organizationId}/sites", {
    operationId: "createSite",
    permission: "site.create",
    also: "To show spaces to more people, `space.admin` on each of them as well.",
    summary: "Create a site",
  })
    .input(Create)
    .output(Site)
    .mutation(create),
  get: get(one, {
    operationId: "getSiteById",
    permission: "site.view",
    summary: "Get a site",
    scope: "site:metadata:read",
    reader: true,
  })
    .input(OneSite)
    .output(Site)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateSiteById",
    permission: "site.update",
    also: "To show spaces to more people, `space.admin` on each of them as well.",
    summary: "Change a site",
  })
    .input(Update)
    .output(Site)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteSiteById",
    permission: "site.delete",
    summary: "Delete a site, but not the spaces it shows",
  })
    .input(OneSite)
    .output(noContent)
    .mutation(rules.remove),
  lookup: internal({ services: ["integrations"], permission: "site.view", also: "Others are left out." })
    .meta({ scope: "site:metadata:read" })
    .input(Lookup)
    .output(z.array(Site))
    .query(rules.lookup),
  publicView: service("gateway").input(OneSite).output(PublicView).query(publicView),
});
