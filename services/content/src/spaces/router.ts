import { noContent, trusted } from "@octavo/shared/fields";
import { del, get, internal, patch, post, router } from "../trpc.js";
import { duplicate } from "./duplicate.js";
import { listOfMember } from "./member-spaces.js";
import { move } from "./move.js";
import * as rules from "./rules.js";
import {
  Create,
  Get,
  List,
  ListInCollection,
  ListOfMember,
  Lookup,
  MemberPermissions,
  Move,
  One,
  Space,
  Spaces,
  Transfer,
  Update,
} from "./schema.js";
import { transfer } from "./transfer.js";

const one = "/spaces/{spaceId}";

export const spaces = router({
  list: get("/orgs/{organizationId}/spaces", { operationId: "listSpacesInOrganizationById" })
    .input(List)
    .output(trusted(Spaces))
    .query(rules.list),
  create: post("/orgs/{organizationId}/spaces", { operationId: "createSpace" })
    .input(Create)
    .output(Space)
    .mutation(rules.create),
  listInCollection: get("/collections/{collectionId}/spaces", { operationId: "listSpacesInCollectionById" })
    .input(ListInCollection)
    .output(trusted(Spaces))
    .query(rules.listInCollection),
  listOfMember: get("/orgs/{organizationId}/members/{userId}/spaces", {
    operationId: "listSpacesForOrganizationMember",
  })
    .input(ListOfMember)
    .output(MemberPermissions)
    .query(listOfMember),
  lookup: internal.input(Lookup).output(Space.array()).query(rules.lookup),
  get: get(one, { operationId: "getSpaceById", scope: "space:metadata:read" })
    .input(Get)
    .output(Space)
    .query(rules.get),
  update: patch(one, { operationId: "updateSpaceById" }).input(Update).output(Space).mutation(rules.update),
  delete: del(one, { operationId: "deleteSpaceById" }).input(One).output(noContent).mutation(rules.remove),
  restore: post(`${one}/restore`, { status: 200, operationId: "restoreSpace" })
    .input(One)
    .output(Space)
    .mutation(rules.restore),
  move: post(`${one}/move`, { status: 200, operationId: "moveSpace" })
    .input(Move)
    .output(Space)
    .mutation(move),
  duplicate: post(`${one}/duplicate`, { operationId: "duplicateSpace" })
    .input(One)
    .output(Space)
    .mutation(duplicate),
  transfer: post(`${one}/transfer`, { status: 200, operationId: "transferSpace" })
    .input(Transfer)
    .output(Space)
    .mutation(transfer),
});
