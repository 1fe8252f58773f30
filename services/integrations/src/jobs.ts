import { createPerformer, schedule } from "@octavo/shared/jobs/perform";
import { deliver, giveUp } from "./events/deliver.js";
import { DeliverEvent, Prune } from "./events/job.js";
import { prune } from "./events/prune.js";
import type { Ctx } from "./trpc.js";

const perform = createPerformer<Ctx>();

/** What the service does beside its requests: it waits for the answers of many at a time, and cleans up every hour. */
export const work = {
  concurrency: 16,
  performers: [
    perform(DeliverEvent, async ({ ctx, payload: { event }, job }) => {
      try {
        await deliver(ctx, event);
      } catch (error) {
        if (job.lastAttempt) await giveUp(ctx, event);
        throw error;
      }
    }),
    perform(Prune, ({ ctx }) => prune(ctx)),
  ],
  schedules: [schedule("23 * * * *", Prune, {})],
};
