import { createPerformer, schedule } from "@octavo/shared/jobs/perform";
import { deliver, giveUp } from "./events/deliver.js";
import { DeliverEvent, Prune } from "./events/job.js";
import { prune } from "./events/prune.js";
import type { Ctx } from "./trpc.js";

const perform = createPerformer<Ctx>();

/** What the service does beside its requests. */
export const performers = [
  perform(DeliverEvent, async ({ ctx, payload: { event }, job }) => {
    try {
      await deliver(ctx, event);
    } catch (error) {
      if (job.lastAttempt) await giveUp(ctx, event);
      throw error;
    }
  }),
  perform(Prune, ({ ctx }) => prune(ctx)),
];

/** What it does again and again. */
export const schedules = [schedule("23 * * * *", Prune, {})];
