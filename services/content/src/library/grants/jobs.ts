import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Forgets the ends of memberships that nothing can meet any more. */
export const pruneDepartures = defineJob("grants.prune-departures", z.object({}));
