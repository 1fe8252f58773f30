import { repeat } from "@octavo/shared/repeat";
import type { Background } from "@octavo/shared/service";
import { removeBefore } from "../store/insights.js";
import type { Ctx } from "../trpc.js";

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** Events that one statement deletes; it holds locks on as many. */
const AT_ONCE = 5_000;

/** Deletes all events that are older than so many days, part by part. Copies of the service do not disturb each other. */
export async function removeOldEvents(ctx: Ctx, days: number): Promise<void> {
  const before = new Date(ctx.clock().getTime() - days * DAY_MS);
  while ((await removeBefore(ctx, before, AT_ONCE)) === AT_ONCE);
}

/** Deletes old events once an hour, and when the service starts. */
export const startRetention = (context: Background<Ctx>, days: number) =>
  repeat(context, EVERY_MS, "old events were not deleted", (ctx) => removeOldEvents(ctx, days));
