import { transact } from "@octavo/shared/database/transact";
import { refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { auditWebhook } from "../../audit.js";
import * as deliveries from "../../store/webhook-deliveries.js";
import type { Call } from "../../trpc.js";
import { lockAdministered, requireActive } from "../access.js";
import { view as deliveryView } from "../delivery-view.js";
import { bodyOf, enqueueAll, sendAgain } from "../queue.js";
import type { One, Replay } from "../schema.js";

/** Deliveries that are sent again by one call. */
const MOST_REPLAYED = 1_000;

/**
 * Sends an event of the type `test`, to a paused webhook too, and returns its delivery, which may still wait; 403 for who
 * does not administer the organization, 404 for a webhook out of reach.
 */
export function test({ ctx, input }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const webhook = await lockAdministered(ctx, input);
    const id = newId();
    const body = bodyOf(ctx, "test", { webhook: webhook.id });
    const created_at = ctx.clock().toISOString();
    const row = await deliveries.insert(ctx, {
      id,
      webhook: webhook.id,
      message: id,
      type: "test",
      body,
      created_at,
    });
    await enqueueAll(ctx, webhook.id, [id]);
    await auditWebhook(ctx, "webhook.test", webhook);
    return deliveryView(ctx, webhook, row);
  });
}

/**
 * Sends again, in its order, what a webhook was or would have been sent in a time, a thousand deliveries a call; 409
 * while it is paused, 400 for a time that ends before it begins, 403 and 404 as for `test`.
 */
export function replay({ ctx, input: { from, to, status, ...one } }: Call<typeof Replay>) {
  if (from >= to) refuseAt("body.to", "must lie after `from`");
  return transact(ctx, async (ctx) => {
    const webhook = await lockAdministered(ctx, one);
    requireActive(webhook);
    const rows = await deliveries.between(ctx, webhook.id, { from, to, status }, MOST_REPLAYED + 1);
    const chosen = rows.slice(0, MOST_REPLAYED);
    await sendAgain(ctx, webhook.id, chosen);
    await auditWebhook(ctx, "webhook.replay", webhook, { from, to, deliveries: chosen.length });
    const next = rows[MOST_REPLAYED];
    return { replayed: chosen.length, ...(next && { next: { from: next.created_at } }) };
  });
}
