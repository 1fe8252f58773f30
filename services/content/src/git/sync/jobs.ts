import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Polls the branches for which no webhook arrived for a while. */
export const pollBranches = defineJob("git.poll", z.object({}), { deadlineMs: 120_000 });
