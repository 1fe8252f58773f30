import { noContent } from "@octavo/shared/contracts/fields";
import { get, put, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { GlossaryEntries, GlossaryEntry, List, One, Update } from "./schema.js";

const all = "/orgs/{organizationId}/translations-glossary";

export const translationsGlossary = router({
  list: get(all, {
    operationId: "listGlossaryEntries",
    permission: "translation.view",
    summary: "List the terms that translations of an organization keep to",
  })
    .input(List)
    .output(GlossaryEntries)
    .query(rules.list),
  update: put(all, {
    status: 204,
    operationId: "updateGlossaryEntries",
    permission: "translation.edit",
    summary: "Insert, change and delete terms, all of them or none",
  })
    .input(Update)
    .output(noContent)
    .mutation(rules.update),
  get: get(`${all}/{glossaryEntryId}`, {
    operationId: "getGlossaryEntry",
    permission: "translation.view",
    summary: "Get a term that translations keep to",
  })
    .input(One)
    .output(GlossaryEntry)
    .query(rules.get),
});
