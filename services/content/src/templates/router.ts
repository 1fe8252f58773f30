import { noContent } from "@octavo/shared/contracts/fields";
import { ANYBODY } from "@octavo/shared/trpc";
import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Apply, List, SpaceTemplates } from "./schema.js";

export const templates = router({
  list: get("/templates", {
    operationId: "listSpaceTemplates",
    permission: ANYBODY,
    summary: "List the templates of spaces",
  })
    .input(List)
    .output(SpaceTemplates)
    .query(rules.list),
  applyTemplate: post("/spaces/{spaceId}/content/template", {
    operationId: "applyTemplateToSpace",
    permission: "space.admin",
    summary: "Add the pages of a template to a space",
  })
    .input(Apply)
    .output(noContent)
    .mutation(rules.applyTemplate),
});
