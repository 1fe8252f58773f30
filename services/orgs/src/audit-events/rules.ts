// An audit event records who did what to which thing. It is written with the change that it records, and never again.

import { found, refuseAt } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { requireRole } from "../access/identity.js";
import type { Call } from "../trpc.js";
import * as queries from "./queries.js";
import type { Get, List } from "./schema.js";
import { view } from "./view.js";

/**
 * Lists an organization's audit events to administrators, the newest first; 400 when `from` is after `to`, 403 to other
 * members, 404 to strangers.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  await requireRole(ctx, input.organizationId, "organization.admin");
  const { from, to } = input;
  if (from && to && Date.parse(from) > Date.parse(to)) refuseAt("query.from", "must not be after `to`");
  return paginate({
    query: queries.list(ctx, input),
    by: [{ column: "occurred_at", direction: "desc" }],
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}

/** Returns one audit event to an administrator; 403 to other members, 404 to strangers. */
export async function get({ ctx, input: { organizationId, auditEventId } }: Call<typeof Get>) {
  await requireRole(ctx, organizationId, "organization.admin");
  return view(ctx)(found(await queries.find(ctx, organizationId, auditEventId), "Audit event"));
}
