import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Create, Get, List, ServiceAccount, ServiceAccounts, Update } from "./schema.js";

const ACCOUNTS = "/orgs/{organizationId}/service-accounts";

export const serviceAccounts = router({
  list: get(ACCOUNTS, {
    operationId: "listServiceAccounts",
    permission: "organization.admin",
    summary: "List the service accounts of an organization",
  })
    .input(List)
    .output(ServiceAccounts)
    .query(rules.list),
  create: post(ACCOUNTS, {
    operationId: "createServiceAccount",
    permission: "organization.admin",
    summary: "Create a service account, a member for programs",
  })
    .input(Create)
    .output(ServiceAccount)
    .mutation(rules.create),
  get: get(`${ACCOUNTS}/{serviceAccountId}`, {
    operationId: "getServiceAccount",
    permission: "organization.admin",
    summary: "Get a service account",
  })
    .input(Get)
    .output(ServiceAccount)
    .query(rules.get),
  update: patch(`${ACCOUNTS}/{serviceAccountId}`, {
    operationId: "updateServiceAccount",
    permission: "organization.admin",
    summary: "Change a service account",
  })
    .input(Update)
    .output(ServiceAccount)
    .mutation(rules.update),
  remove: del(`${ACCOUNTS}/{serviceAccountId}`, {
    operationId: "deleteServiceAccount",
    permission: "organization.admin",
    summary: "Delete a service account and its tokens",
  })
    .input(Get)
    .output(noContent)
    .mutation(rules.remove),
});
