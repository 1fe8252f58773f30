import type { AuditEntry } from "@octavo/shared/events/catalogue/audit";
import { type Selectable, sql } from "kysely";
import type { z } from "zod";
import type { Database } from "../database.js";
import type { Ctx } from "../trpc.js";
import type { List } from "./schema.js";

/** One that is shown: those of no organization are not. */
export type Row = Selectable<Database["audit_event"]> & { organization: string };

const within = ({ db }: Ctx, organization: string) =>
  db.selectFrom("audit_event").selectAll().where("organization", "=", organization).$castTo<Row>();

export const find = (ctx: Ctx, organization: string, id: string) =>
  within(ctx, organization).where("id", "=", id).executeTakeFirst();

export function list(ctx: Ctx, input: z.output<typeof List>) {
  const { organizationId, actor, action, target, targetType, from, to } = input;
  let query = within(ctx, organizationId);
  if (actor) query = query.where("actor", "=", actor);
  if (action) query = query.where("action", "=", action);
  if (target) query = query.where("target", "=", target);
  if (targetType) query = query.where("target_type", "=", targetType);
  if (from) query = query.where("occurred_at", ">=", from);
  if (to) query = query.where("occurred_at", "<", to);
  return query;
}

/** Keeps entries by one statement, however many; one that is there already stays as it is. */
export const keep = ({ db }: Ctx, entries: AuditEntry[]) => {
  const rows = entries.map(({ actor, target, requestId: request, occurredAt: occurred_at, ...entry }) => ({
    ...entry,
    ...{ actor_type: actor.type, actor: actor.id, actor_name: actor.displayName },
    ...{ request, target_type: target.type, target: target.id, occurred_at },
  }));
  const columns =
    sql.raw(`id, organization, service, action, actor_type, actor, actor_name, token, ip, request,
    target_type, target, occurred_at, details`);
  return sql`
    insert into audit_event (${columns})
    select ${columns} from jsonb_populate_recordset(null::audit_event, ${JSON.stringify(rows)}::jsonb)
    on conflict (id) do nothing`.execute(db);
};
