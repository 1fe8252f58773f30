import { get, patch, post, router } from "../trpc.js";
import { edit } from "./edit.js";
import { merge, update } from "./merge.js";
import * as rules from "./rules.js";
import {
  ChangeRequest,
  Create,
  Edit,
  Edited,
  Get,
  List,
  Listed,
  ListInOrganization,
  Merge,
  Merged,
  Update,
  Updated,
} from "./schema.js";

const base = "/spaces/{spaceId}/change-requests";
const one = `${base}/{changeRequestId}` as const;

export const changeRequests = router({
  list: get(base, { operationId: "listChangeRequestsForSpace" }).input(List).output(Listed).query(rules.list),
  listInOrganization: get("/orgs/{organizationId}/change-requests", {
    operationId: "listChangeRequestsForOrganization",
  })
    .input(ListInOrganization)
    .output(Listed)
    .query(rules.listInOrganization),
  create: post(base, { operationId: "createChangeRequest" })
    .input(Create)
    .output(ChangeRequest)
    .mutation(rules.create),
  get: get(one, { operationId: "getChangeRequestById" }).input(Get).output(ChangeRequest).query(rules.get),
  update: patch(one, { operationId: "updateChangeRequestById" })
    .input(Update)
    .output(ChangeRequest)
    .mutation(rules.change),
  edit: post(`${one}/content`, {
    status: 200,
    operationId: "editChangeRequestContent",
    query: ["compat"],
    maxBody: 32 * 1024 * 1024,
  })
    .input(Edit)
    .output(Edited)
    .mutation(edit),
  merge: post(`${one}/merge`, { status: 200, operationId: "mergeChangeRequest" })
    .input(Merge)
    .output(Merged)
    .mutation(merge),
  pull: post(`${one}/update`, { status: 200, operationId: "updateChangeRequest" })
    .input(Merge)
    .output(Updated)
    .mutation(update),
});
