import { noContent } from "@octavo/shared/fields";
import { del, get, patch, post, router } from "../trpc.js";
import { move } from "./move.js";
import * as rules from "./rules.js";
import { Collection, Collections, Create, Get, List, Move, Transfer, Update } from "./schema.js";
import { transfer } from "./transfer.js";

const one = "/collections/{collectionId}";

export const collections = router({
  list: get("/orgs/{organizationId}/collections", { operationId: "listCollectionsInOrganizationById" })
    .input(List)
    .output(Collections)
    .query(rules.list),
  create: post("/orgs/{organizationId}/collections", { operationId: "createCollection" })
    .input(Create)
    .output(Collection)
    .mutation(rules.create),
  get: get(one, { operationId: "getCollectionById" }).input(Get).output(Collection).query(rules.get),
  update: patch(one, { operationId: "updateCollectionById" })
    .input(Update)
    .output(Collection)
    .mutation(rules.update),
  delete: del(one, { operationId: "deleteCollectionById" })
    .input(Get)
    .output(noContent)
    .mutation(rules.remove),
  move: post(`${one}/move`, { status: 200, operationId: "moveCollection" })
    .input(Move)
    .output(Collection)
    .mutation(move),
  transfer: post(`${one}/transfer`, { status: 200, operationId: "transferCollection" })
    .input(Transfer)
    .output(Collection)
    .mutation(transfer),
});
