import type { Ctx } from "../trpc.js";
import type { Row } from "./queries.js";
import type { AuditEvent } from "./schema.js";

export const view =
  ({ urls }: Ctx) =>
  (row: Row): AuditEvent => ({
    object: "audit-event",
    id: row.id,
    organization: row.organization,
    service: row.service,
    action: row.action,
    actor: { type: row.actor_type, id: row.actor, displayName: row.actor_name },
    token: row.token ?? undefined,
    ip: row.ip ?? undefined,
    requestId: row.request,
    target: { type: row.target_type, id: row.target },
    occurredAt: row.occurred_at,
    details: row.details ?? undefined,
    urls: { location: urls.api`/orgs/${row.organization}/audit-events/${row.id}` },
  });
