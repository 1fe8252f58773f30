import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, post, put, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Create, List, One, Translation, Translations, Update } from "./schema.js";

const all = "/orgs/{organizationId}/translations";
const one = `${all}/{translationId}` as const;

export const translations = router({
  list: get(all, {
    operationId: "listTranslations",
    permission: "translation.view",
    summary: "List the translations of an organization",
  })
    .input(List)
    .output(Translations)
    .query(rules.list),
  create: post(all, {
    operationId: "createTranslation",
    permission: "translation.edit",
    summary: "Create a translation of a space",
  })
    .input(Create)
    .output(Translation)
    .mutation(rules.create),
  get: get(one, {
    operationId: "getTranslation",
    permission: "translation.view",
    summary: "Get a translation, and how its latest run went",
  })
    .input(One)
    .output(Translation)
    .query(rules.get),
  update: put(one, {
    operationId: "updateTranslation",
    permission: "translation.edit",
    summary: "Change the instructions of a translation",
  })
    .input(Update)
    .output(Translation)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteTranslation",
    permission: "translation.edit",
    summary: "Delete a translation; the space that it made stays",
  })
    .input(One)
    .output(noContent)
    .mutation(removal(rules.remove)),
  run: post(`${one}/run`, {
    status: 204,
    operationId: "runTranslation",
    permission: "translation.edit",
    summary: "Bring a translation up to date in the background",
  })
    .input(One)
    .output(noContent)
    .mutation(rules.run),
});
