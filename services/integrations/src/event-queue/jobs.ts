import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Tells an integration of one event. The tries are for our own failures; what the integration answers is final. */
export const deliverEvent = defineJob("events.deliver", z.object({ event: z.string() }), { attempts: 8 });

/** Removes what is too old to be asked for: delivered events, and tokens that have expired. */
export const pruneOld = defineJob("events.prune", z.object({}), { deadlineMs: 600_000 });
