import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { addresseeOf } from "./addressee.js";
import { attempt } from "./attempt.js";
import { keepLate } from "./late-logs.js";
import { notSent, recordOutcomes } from "./outcomes.js";

/**
 * Delivers an event to an integration, after all earlier ones of its installation, and records how
 * that went. When the process dies in between, the job runs again: the integration receives the event at least once,
 * always under the same id, and the record is made once.
 */
export async function deliver(ctx: Ctx, id: string): Promise<void> {
  const event = await queries.waiting(ctx, id);
  if (!event) return;
  // What is tried again later must not be overtaken.
  for (let earlier = await queries.firstBefore(ctx, event); earlier; ) {
    await deliverOne(ctx, earlier);
    earlier = await queries.firstBefore(ctx, event);
  }
  await deliverOne(ctx, event);
}

async function deliverOne(ctx: Ctx, event: queries.Row): Promise<void> {
  try {
    const outcome = await attempt(ctx, event, await addresseeOf(ctx, event));
    await recordOutcomes(ctx, [{ event, outcome }]);
    void keepLate(ctx, event.id, outcome.late);
  } catch (error) {
    // What it was about may have been removed meanwhile, and the event with it.
    if (await queries.waiting(ctx, event.id)) throw error;
  }
}

/** Records that an event could not be delivered for a reason of our own. */
export async function giveUp(ctx: Ctx, id: string): Promise<void> {
  const event = await queries.waiting(ctx, id);
  if (event) await recordOutcomes(ctx, [{ event, outcome: notSent(ctx) }]);
}
