import { get, patch, post, router } from "../../trpc.js";
import { admitEdit, edit } from "./rules/edit.js";
import { merge, pull } from "./rules/merge.js";
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
  list: get(base, {
    operationId: "listChangeRequestsForSpace",
    permission: "space.access",
    summary: "List the change requests of a space",
    scope: "space:content:read",
  })
    .input(List)
    .output(Listed)
    .query(rules.list),
  listInOrganization: get("/orgs/{organizationId}/change-requests", {
    operationId: "listChangeRequestsForOrganization",
    permission: "organization.view",
    summary: "List the change requests of all spaces of an organization that you can read",
  })
    .input(ListInOrganization)
    .output(Listed)
    .query(rules.listInOrganization),
  create: post(base, {
    operationId: "createChangeRequest",
    permission: "space.edit",
    summary: "Open a change request, a branch of a space's content",
    scope: "space:content:write",
  })
    .input(Create)
    .output(ChangeRequest)
    .mutation(rules.create),
  get: get(one, {
    operationId: "getChangeRequestById",
    permission: "space.access",
    summary: "Get a change request",
    scope: "space:content:read",
  })
    .input(Get)
    .output(ChangeRequest)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateChangeRequestById",
    permission: "space.edit",
    summary: "Change a change request's subject, description or status",
    scope: "space:content:write",
  })
    .input(Update)
    .output(ChangeRequest)
    .mutation(rules.update),
  edit: post(`${one}/content`, {
    status: 200,
    operationId: "editChangeRequestContent",
    permission: "space.edit",
    summary: "Edit the content of a change request by a list of changes, all of them or none",
    scope: "space:content:write",
    query: ["compat"],
    maxBody: 32 * 1024 * 1024,
    admit: admitEdit,
  })
    .input(Edit)
    .output(Edited)
    .mutation(edit),
  merge: post(`${one}/merge`, {
    status: 200,
    operationId: "mergeChangeRequest",
    permission: "space.merge",
    summary: "Merge a change request into its space's content, unless they conflict",
    scope: "space:content:write",
  })
    .input(Merge)
    .output(Merged)
    .mutation(merge),
  pull: post(`${one}/update`, {
    status: 200,
    operationId: "updateChangeRequest",
    permission: "space.edit",
    summary: "Bring the latest content of the space into a change request",
    scope: "space:content:write",
  })
    .input(Merge)
    .output(Updated)
    .mutation(pull),
});
