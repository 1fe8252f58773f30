import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../trpc.js";
import { add } from "./rules/add.js";
import * as rules from "./rules.js";
import { Add, List, Move, OneSiteSpace, SiteSpace, SiteSpaceList, Update } from "./schema.js";

const one = "/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}";

export const siteSpaces = router({
  list: get("/orgs/{organizationId}/sites/{siteId}/site-spaces", {
    operationId: "listSiteSpaces",
    permission: "site.view",
    summary: "List the spaces that a site shows",
    reader: true,
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
    .mutation(add),
  update: patch(one, {
    operationId: "updateSiteSpaceById",
    permission: "site.update",
    also: "To show spaces to more people, `space.admin` on each of them as well.",
    summary: "Change a space on a site",
  })
    .input(Update)
    .output(SiteSpace)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteSiteSpaceById",
    permission: "site.update",
    summary: "Take a space off a site, but do not delete it",
  })
    .input(OneSiteSpace)
    .output(noContent)
    .mutation(rules.remove),
  move: post(`${one}/move`, {
    status: 200,
    operationId: "moveSiteSpace",
    permission: "site.update",
    summary: "Move a space among those beside it on a site",
  })
    .input(Move)
    .output(SiteSpace)
    .mutation(rules.move),
});
