import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { auditWebhook } from "../../audit.js";
import { allowIn } from "../../permissions.js";
import * as queries from "../../store/webhook-deliveries.js";
import * as webhooks from "../../store/webhooks.js";
import type { Call, Ctx } from "../../trpc.js";
import { lockAdministered, requireActive } from "../access.js";
import { view } from "../delivery-view.js";
import { sendAgain } from "../queue.js";
import type { List, One } from "./schema.js";

/**
 * Lists the deliveries of a webhook, the newest first; 403 for who does not administer the organization, 404 for a webhook
 * or an organization out of reach.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const webhook = await load(ctx, input);
  return paginate({
    query: queries.of(ctx, webhook.id, input.status),
    by: [{ column: "created_at", direction: "desc" }],
    input,
    view: (rows) => rows.map((row) => view(ctx, webhook, row)),
  });
}

/** Returns one delivery with its attempts; 404 for one of another webhook, 403 for who does not administer the organization. */
export async function get({ ctx, input }: Call<typeof One>) {
  const webhook = await load(ctx, input);
  const row = await queries.find(ctx, webhook.id, input.deliveryId);
  return view(ctx, webhook, found(row, "Delivery"));
}

/**
 * Sends a delivery again, whatever came of it, and returns the new one; 409 while the webhook is paused, 404 for one out of
 * reach, 403 for who does not administer the organization.
 */
export function replay({ ctx, input }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const webhook = await lockAdministered(ctx, input);
    const row = found(await queries.find(ctx, webhook.id, input.deliveryId), "Delivery");
    requireActive(webhook);
    const [again] = await sendAgain(ctx, webhook.id, [row]);
    await auditWebhook(ctx, "webhook.replay", webhook, { delivery: row.id });
    return view(ctx, webhook, again!);
  });
}

async function load(ctx: Ctx, { organizationId, webhookId }: { organizationId: string; webhookId: string }) {
  allowIn(ctx, organizationId, "webhook.admin");
  return found(await webhooks.find(ctx, organizationId, webhookId), "Webhook");
}
