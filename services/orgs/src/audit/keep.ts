import type { AuditEntry } from "@octavo/shared/contracts/events/audit";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Keeps entries by one statement, however many; one that is there already stays as it is. */
export const keep = ({ db }: Ctx, entries: AuditEntry[]) => {
  const rows = entries.map(({ actor, target, requestId: request, occurredAt: occurred_at, ...entry }) => ({
    ...entry,
    actor_type: actor.type,
    actor: actor.id,
    actor_name: actor.displayName,
    request,
    target_type: target.type,
    target: target.id,
    occurred_at,
  }));
  const columns =
    sql.raw(`id, organization, service, action, actor_type, actor, actor_name, token, ip, request,
    target_type, target, occurred_at, details`);
  return sql`
    insert into audit_event (${columns})
    select ${columns} from jsonb_populate_recordset(null::audit_event, ${JSON.stringify(rows)}::jsonb)
    on conflict (id) do nothing`.execute(db);
};
