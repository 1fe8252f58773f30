import { auditEntry } from "@octavo/shared/contracts/events/audit";
import { id, listOf, paging, text, time, timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const List = z.object({
  organizationId: id,
  ...paging,
  /** Who did it: the id of a user, or the name of a service or an integration. */
  actor: id.optional(),
  action: text(100, 1).optional(),
  /** The id of the thing it was done to. */
  target: id.optional(),
  targetType: text(100, 1).optional(),
  /** Not before this time. */
  from: time.optional(),
  /** Before this time. */
  to: time.optional(),
});
export const Get = z.object({ organizationId: id, auditEventId: id });

const { id: key, service, action, actor, token, ip, requestId, target, details } = auditEntry.shape;

export const AuditEvent = z
  .object({
    object: z.literal("audit-event"),
    id: key,
    organization: z.string(),
    service,
    action,
    actor,
    token,
    ip,
    requestId,
    target,
    occurredAt: timestamp,
    details,
    urls: urls("location"),
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.output<typeof AuditEvent>;

export const AuditEvents = listOf(AuditEvent);
