import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import { AuditEvent, AuditEvents, Get, List } from "./schema.js";

export const auditEvents = router({
  list: get("/orgs/{organizationId}/audit-events", { operationId: "listAuditEventsInOrganizationById" })
    .input(List)
    .output(AuditEvents)
    .query(rules.list),
  get: get("/orgs/{organizationId}/audit-events/{auditEventId}", {
    operationId: "getAuditEventInOrganizationById",
  })
    .input(Get)
    .output(AuditEvent)
    .query(rules.get),
});
