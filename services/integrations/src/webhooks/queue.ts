import { newId } from "@octavo/shared/ids";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import type { WebhookType } from "../schemas/webhook-type.js";
import * as deliveries from "../store/webhook-deliveries.js";
import * as webhooks from "../store/webhooks.js";
import type { Ctx } from "../trpc.js";
import { sendDelivery } from "./jobs.js";

/**
 * Queues a message for the webhooks of an organization that subscribe to it, inside a transaction: what is sent after the commit is in
 * the log, and so is what a paused one would have been sent.
 */
export async function announce(
  ctx: Ctx,
  organization: string,
  type: WebhookType,
  data: Record<string, unknown>,
): Promise<void> {
  const subscribed = await webhooks.listeningTo(ctx, organization, type);
  const body = subscribed.length > 0 ? bodyOf(ctx, type, data) : "";
  const created_at = ctx.clock().toISOString();
  for (const webhook of subscribed) {
    const id = newId();
    const status = webhook.status === "paused" ? ("held" as const) : undefined;
    await deliveries.insert(ctx, { id, webhook: webhook.id, message: id, type, body, status, created_at });
    if (!status) await enqueueAll(ctx, webhook.id, [id]);
  }
}

/** Sends deliveries again, each as a new one under the id of the first one. */
export async function sendAgain(
  ctx: Ctx,
  webhook: string,
  rows: deliveries.Row[],
): Promise<deliveries.Row[]> {
  const again = rows.map(({ message, type, body }) => ({
    id: newId(),
    webhook,
    message,
    type,
    body,
    created_at: ctx.clock().toISOString(),
  }));
  const inserted: deliveries.Row[] = [];
  for (const row of again) inserted.push(await deliveries.insert(ctx, row));
  await enqueueAll(
    ctx,
    webhook,
    again.map(({ id }) => id),
  );
  return inserted;
}

/** Has deliveries of a webhook sent, one after the other. */
export async function enqueueAll(ctx: Ctx, webhook: string, ids: string[], runAt?: Date): Promise<void> {
  for (const id of ids)
    await enqueue(
      ctx,
      sendDelivery,
      { delivery: id },
      { key: `webhook ${id}`, queue: `webhook ${webhook}`, runAt },
    );
}

/** What is sent, by the form of Standard Webhooks. */
export const bodyOf = ({ clock }: Pick<Ctx, "clock">, type: string, data: Record<string, unknown>): string =>
  JSON.stringify({ type, timestamp: clock().toISOString(), data });
