import { found, refuse } from "@octavo/shared/errors";
import { withStoredRole } from "../access/stored-role.js";
import { allowIn } from "../permissions.js";
import * as queries from "../store/webhooks.js";
import type { Ctx } from "../trpc.js";

/** 409 for a webhook that is paused. */
export function requireActive({ status }: queries.Row): void {
  if (status === "paused") refuse("CONFLICT", "Webhook: is paused", { reason: "webhook_paused" });
}

/**
 * A webhook, held until the end of the transaction, for who administers its organization then; 404 for one out of reach,
 * 403 for who does not.
 */
export async function lockAdministered(
  ctx: Ctx,
  { organizationId, webhookId }: { organizationId: string; webhookId: string },
): Promise<queries.Row> {
  const row = await queries.lock(ctx, organizationId, webhookId);
  await requireAdmin(ctx, organizationId);
  return found(row, "Webhook");
}

/** Refuses who does not administer an organization as orgs has it now: 403, or 404 for strangers. */
export async function requireAdmin(ctx: Ctx, organization: string): Promise<void> {
  allowIn(await withStoredRole(ctx, organization), organization, "webhook.admin");
}
