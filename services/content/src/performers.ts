import { createPerformer } from "@octavo/shared/jobs/perform";
import { runImport } from "./git/import.js";
import { importGit } from "./git/jobs.js";
import * as operations from "./git/operations.js";
import type { Ctx } from "./trpc.js";

const perform = createPerformer<Ctx>();

/** What the service does beside its requests. */
export const performers = [
  perform(importGit, async ({ ctx, payload, job, signal }) => {
    const operation = await operations.findRunning(ctx, payload.operation);
    if (!operation) return;
    try {
      await runImport(ctx, operation, signal);
    } catch (error) {
      if (job.lastAttempt && !signal.aborted)
        await operations.fail(ctx, operation, "The import failed unexpectedly");
      throw error;
    }
  }),
];
