import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, post, put, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Create, FontDefinition, FontDefinitionList, List, OneFont, UpdateFont } from "./schema.js";

const all = "/orgs/{organizationId}/fonts" as const;
const one = `${all}/{fontId}` as const;

export const fonts = router({
  list: get(all, {
    operationId: "listCustomFonts",
    permission: "font.view",
    summary: "List the fonts of an organization",
  })
    .input(List)
    .output(FontDefinitionList)
    .query(rules.list),
  create: put(all, {
    status: 201,
    operationId: "createCustomFont",
    permission: "font.manage",
    summary: "Create a font",
  })
    .input(Create)
    .output(FontDefinition)
    .mutation(rules.create),
  get: get(one, {
    operationId: "getCustomFont",
    permission: "font.view",
    summary: "Get a font",
  })
    .input(OneFont)
    .output(FontDefinition)
    .query(rules.get),
  updateFont: post(one, {
    operationId: "updateCustomFont",
    permission: "font.manage",
    summary: "Change a font",
  })
    .input(UpdateFont)
    .output(FontDefinition)
    .mutation(rules.updateFont),
  remove: del(one, {
    operationId: "deleteCustomFont",
    permission: "font.manage",
    summary: "Delete a font",
  })
    .input(OneFont)
    .output(noContent)
    .mutation(rules.remove),
});
