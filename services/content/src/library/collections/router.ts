import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, patch, post, router } from "../../trpc.js";
import { move } from "./rules/move.js";
import { transfer } from "./rules/transfer.js";
import * as rules from "./rules.js";
import { Collection, Collections, Create, Get, List, Move, Transfer, Update } from "./schema.js";

const one = "/collections/{collectionId}";

export const collections = router({
  list: get("/orgs/{organizationId}/collections", {
    operationId: "listCollectionsInOrganizationById",
    permission: "organization.view",
    summary: "List the collections of an organization",
  })
    .input(List)
    .output(Collections)
    .query(rules.list),
  create: post("/orgs/{organizationId}/collections", {
    operationId: "createCollection",
    permission: "organization.createContent",
    also: "In a collection, `collection.create` there instead.",
    summary: "Create a collection",
  })
    .input(Create)
    .output(Collection)
    .mutation(rules.create),
  get: get(one, {
    operationId: "getCollectionById",
    permission: "collection.view",
    summary: "Get a collection",
  })
    .input(Get)
    .output(Collection)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateCollectionById",
    permission: "collection.admin",
    summary: "Change a collection",
  })
    .input(Update)
    .output(Collection)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteCollectionById",
    permission: "collection.admin",
    summary: "Delete a collection with all collections in it, and move their spaces to the trash",
  })
    .input(Get)
    .output(noContent)
    .mutation(removal(rules.remove)),
  move: post(`${one}/move`, {
    status: 200,
    operationId: "moveCollection",
    permission: "collection.admin",
    also: "And to create where it goes.",
    summary: "Move a collection into another one, or to the top",
  })
    .input(Move)
    .output(Collection)
    .mutation(move),
  transfer: post(`${one}/transfer`, {
    status: 200,
    operationId: "transferCollection",
    permission: ["collection.admin", "organization.createContent"],
    also: "In both organizations, and on everything inside.",
    summary: "Transfer a collection, with all that is in it, to another organization",
  })
    .input(Transfer)
    .output(Collection)
    .mutation(transfer),
});
