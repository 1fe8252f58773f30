import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** An import of a repository. Its failures are recorded with the operation; only a crash or a lost database is tried again. */
export const importGit = defineJob("git.import", z.object({ operation: z.string() }), {
  attempts: 5,
  deadlineMs: 18 * 60_000,
});
