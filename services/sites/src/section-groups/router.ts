import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../trpc.js";
import * as sections from "./rules/sections.js";
import * as rules from "./rules.js";
import {
  AddSection,
  Create,
  List,
  Move,
  OneGroup,
  RemoveSection,
  SiteSectionGroup,
  SiteSectionGroupList,
  Update,
} from "./schema.js";

const all = "/orgs/{organizationId}/sites/{siteId}/section-groups";
const one = "/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}";

export const sectionGroups = router({
  list: get(all, {
    operationId: "listSiteSectionGroups",
    permission: "site.view",
    summary: "List the groups of sections of a site",
  })
    .input(List)
    .output(SiteSectionGroupList)
    .query(rules.list),
  create: post(all, {
    operationId: "addSectionGroupToSite",
    permission: "site.update",
    summary: "Add a group of sections to a site",
  })
    .input(Create)
    .output(SiteSectionGroup)
    .mutation(rules.create),
  update: patch(one, {
    operationId: "updateSiteSectionGroupById",
    permission: "site.update",
    summary: "Change a group of sections",
  })
    .input(Update)
    .output(SiteSectionGroup)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteSiteSectionGroupById",
    permission: "site.update",
    summary: "Delete a group, but not its sections",
  })
    .input(OneGroup)
    .output(noContent)
    .mutation(rules.remove),
  move: post(`${one}/move`, {
    status: 200,
    operationId: "moveSiteSectionGroup",
    permission: "site.update",
    summary: "Move a group among the sections and groups beside it",
  })
    .input(Move)
    .output(SiteSectionGroup)
    .mutation(rules.move),
  addSection: post(`${one}/sections`, {
    operationId: "addSectionToGroup",
    permission: "site.update",
    summary: "Put a section into a group",
  })
    .input(AddSection)
    .output(SiteSectionGroup)
    .mutation(sections.addSection),
  removeSection: del(`${one}/sections/{siteSectionId}`, {
    operationId: "removeSectionFromGroup",
    permission: "site.update",
    summary: "Take a section out of its group",
  })
    .input(RemoveSection)
    .output(noContent)
    .mutation(sections.removeSection),
});
