import { createPerformer, schedule } from "@octavo/shared/jobs/perform";
import { collect } from "./files/collect.js";
import { collectStored } from "./files/jobs.js";
import { runImport } from "./git/import.js";
import { importGit } from "./git/jobs.js";
import * as operations from "./git/operations.js";
import { discard } from "./git/staged.js";
import { purgeAllDue, purgeDue, purgeSpace } from "./spaces/jobs.js";
import { purge } from "./spaces/purge.js";
import { refreshStatistics, tellPlanner } from "./store/statistics.js";
import type { Ctx } from "./trpc.js";

const perform = createPerformer<Ctx>();

const failUnexpectedly = (ctx: Ctx, operation: operations.Operation) =>
  operations.fail(ctx, operation, "The import failed unexpectedly");

/** What the service does beside its requests. */
export const performers = [
  perform(
    importGit,
    async ({ ctx, payload, job, signal }) => {
      const operation = await operations.findRunning(ctx, payload.operation);
      if (!operation) return;
      try {
        await runImport(ctx, operation, signal);
      } catch (error) {
        if (job.lastAttempt && !signal.aborted) await failUnexpectedly(ctx, operation);
        throw error;
      }
    },
    async ({ ctx, payload }) => {
      const operation = await operations.findRunning(ctx, payload.operation);
      if (!operation) return;
      await discard(ctx, operation);
      await failUnexpectedly(ctx, operation);
    },
  ),
  perform(purgeDue, ({ ctx }) => purgeAllDue(ctx)),
  perform(purgeSpace, ({ ctx, payload, signal }) => purge(ctx, payload.space, { signal })),
  perform(refreshStatistics, ({ ctx }) => tellPlanner(ctx)),
  perform(collectStored, ({ ctx, signal }) => collect(ctx, signal)),
];

/** What it does again and again: hourly, so that a space goes within the hour after its seven days. */
export const schedules = [schedule("7 * * * *", purgeDue, {}), schedule("37 * * * *", collectStored, {})];
