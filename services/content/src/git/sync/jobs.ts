import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Looks at the branches of which nobody told anything for a while. */
export const pollBranches = defineJob("git.poll", z.object({}), { deadlineMs: 120_000 });
