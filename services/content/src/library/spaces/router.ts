import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { del, get, internal, patch, post, router, service, shown } from "../../trpc.js";
import { createOnce } from "./rules/create-once.js";
import { duplicate } from "./rules/duplicate.js";
import { listOfMember } from "./rules/list-of-member.js";
import { move } from "./rules/move.js";
import { transfer } from "./rules/transfer.js";
import { update } from "./rules/update.js";
import * as rules from "./rules.js";
import {
  Create,
  CreateOnce,
  Get,
  Heads,
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

const one = "/spaces/{spaceId}";

export const spaces = router({
  list: get("/orgs/{organizationId}/spaces", {
    operationId: "listSpacesInOrganizationById",
    permission: "organization.view",
    summary: "List the spaces of an organization that you can see",
  })
    .input(List)
    .output(skipOutputValidation(Spaces))
    .query(rules.list),
  create: post("/orgs/{organizationId}/spaces", {
    operationId: "createSpace",
    permission: "organization.createContent",
    also: "In a collection, `collection.create` there instead.",
    summary: "Create a space",
  })
    .input(Create)
    .output(Space)
    .mutation(rules.create),
  createOnce: internal({ services: [], permission: "organization.createContent" })
    .input(CreateOnce)
    .output(Space)
    .mutation(createOnce),
  listInCollection: get("/collections/{collectionId}/spaces", {
    operationId: "listSpacesInCollectionById",
    permission: "collection.view",
    summary: "List the spaces in a collection",
  })
    .input(ListInCollection)
    .output(skipOutputValidation(Spaces))
    .query(rules.listInCollection),
  listOfMember: get("/orgs/{organizationId}/members/{userId}/spaces", {
    operationId: "listSpacesForOrganizationMember",
    permission: "organization.admin",
    also: "Of themselves, any member may.",
    summary: "List the spaces that a member may read, with the role they have there",
  })
    .input(ListOfMember)
    .output(MemberPermissions)
    .query(listOfMember),
  lookup: shown({
    services: ["sites", "integrations"],
    permission: "space.access",
    also: "Others are left out.",
  })
    .meta({ scope: "space:metadata:read" })
    .input(Lookup)
    .output(skipOutputValidation(Space.array()))
    .query(rules.lookup),
  heads: service("sites").input(Lookup).output(skipOutputValidation(Heads)).query(rules.heads),
  get: get(one, {
    operationId: "getSpaceById",
    permission: "space.view",
    also: "Everybody may while the space is public.",
    summary: "Get a space",
    scope: "space:metadata:read",
    reader: true,
  })
    .input(Get)
    .output(Space)
    .query(rules.get),
  update: patch(one, { operationId: "updateSpaceById", permission: "space.admin", summary: "Change a space" })
    .input(Update)
    .output(Space)
    .mutation(update),
  remove: del(one, {
    operationId: "deleteSpaceById",
    permission: "space.admin",
    summary: "Move a space to the trash",
  })
    .input(One)
    .output(noContent)
    .mutation(removal(rules.remove)),
  restore: post(`${one}/restore`, {
    status: 200,
    operationId: "restoreSpace",
    permission: "space.admin",
    summary: "Take a space back from the trash",
  })
    .input(One)
    .output(Space)
    .mutation(rules.restore),
  move: post(`${one}/move`, {
    status: 200,
    operationId: "moveSpace",
    permission: "space.admin",
    also: "And to create where it goes.",
    summary: "Move a space into a collection, or to the top",
  })
    .input(Move)
    .output(Space)
    .mutation(move),
  duplicate: post(`${one}/duplicate`, {
    operationId: "duplicateSpace",
    permission: ["space.access", "organization.createContent"],
    also: "In a collection, `collection.create` there instead.",
    summary: "Copy a space with its content",
  })
    .input(One)
    .output(Space)
    .mutation(duplicate),
  transfer: post(`${one}/transfer`, {
    status: 200,
    operationId: "transferSpace",
    permission: ["space.admin", "organization.createContent"],
    also: "In both organizations.",
    summary: "Transfer a space to another organization",
  })
    .input(Transfer)
    .output(Space)
    .mutation(transfer),
});
