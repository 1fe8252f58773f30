import * as queries from "../store/events.js";
import * as webhookDeliveries from "../store/webhook-deliveries.js";
import * as tokens from "../tokens/rules.js";
import type { Ctx } from "../trpc.js";

const BATCH = 1000;

/** Removes delivered events and what was sent to webhooks after so many days as are set, and the tokens that have expired, in small transactions. */
export async function prune(ctx: Ctx): Promise<void> {
  await inBatches(ctx, () => tokens.prune(ctx, BATCH));
  await inBatches(ctx, () => queries.dropOlder(ctx, ctx.eventDays, BATCH));
  await inBatches(ctx, () => webhookDeliveries.dropOlder(ctx, ctx.eventDays, BATCH));
}

async function inBatches({ signal }: Ctx, drop: () => Promise<number>) {
  while ((await drop()) === BATCH) signal?.throwIfAborted();
}
