import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../trpc.js";
import { create } from "./rules/create.js";
import { update } from "./rules/update.js";
import * as rules from "./rules.js";
import { Create, List, Move, OneSection, SiteSection, SiteSectionList, Update } from "./schema.js";

const all = "/orgs/{organizationId}/sites/{siteId}/sections";
const one = "/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}";

export const sections = router({
  list: get(all, {
    operationId: "listSiteSections",
    permission: "site.view",
    summary: "List the sections of a site",
    reader: true,
  })
    .input(List)
    .output(SiteSectionList)
    .query(rules.list),
  create: post(all, {
    operationId: "addSectionToSite",
    permission: "site.addSpace",
    also: "And `space.admin` on the space, with the first section on each space of the site.",
    summary: "Add a section to a site",
  })
    .input(Create)
    .output(SiteSection)
    .mutation(create),
  update: patch(one, {
    operationId: "updateSiteSectionById",
    permission: "site.update",
    also: "To show spaces to more people, `space.admin` on each of them as well.",
    summary: "Change a section of a site",
  })
    .input(Update)
    .output(SiteSection)
    .mutation(update),
  remove: del(one, {
    operationId: "deleteSiteSectionById",
    permission: "site.update",
    summary: "Delete a section of a site, but not its spaces",
  })
    .input(OneSection)
    .output(noContent)
    .mutation(rules.remove),
  move: post(`${one}/move`, {
    status: 200,
    operationId: "moveSiteSection",
    permission: "site.update",
    summary: "Move a section among those beside it",
  })
    .input(Move)
    .output(SiteSection)
    .mutation(rules.move),
});
