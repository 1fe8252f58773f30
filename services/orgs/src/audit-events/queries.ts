import type { Selectable } from "kysely";
import type { z } from "zod";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";
import type { List } from "./schema.js";

/** One that is shown: those of no organization are not. */
export type Row = Selectable<Database["audit_event"]> & { organization: string };

const within = ({ db }: Ctx, organization: string) =>
  db.selectFrom("audit_event").selectAll().where("organization", "=", organization).$castTo<Row>();

/** Finds one audit event of an organization. */
export const find = (ctx: Ctx, organization: string, id: string) =>
  within(ctx, organization).where("id", "=", id).executeTakeFirst();

/** Selects the audit events of an organization that match all filters; `from` is included, `to` is not. */
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
