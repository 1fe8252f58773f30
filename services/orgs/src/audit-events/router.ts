import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import { AuditEvent, AuditEvents, Get, List } from "./schema.js";

export const auditEvents = router({
  list: get("/orgs/{organizationId}/audit-events", {
    operationId: "listAuditEventsInOrganizationById",
    permission: "organization.admin",
    summary: "List what was done in an organization, newest first",
  })
    .input(List)
    .output(AuditEvents)
    .query(rules.list),
  get: get("/orgs/{organizationId}/audit-events/{auditEventId}", {
    operationId: "getAuditEventInOrganizationById",
    permission: "organization.admin",
    summary: "Get one entry of an organization's audit log",
  })
    .input(Get)
    .output(AuditEvent)
    .query(rules.get),
});
