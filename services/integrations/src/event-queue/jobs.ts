import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Delivers one event to an integration. The tries are for our own failures; the integration's response is final. */
export const deliverEvent = defineJob("events.deliver", z.object({ event: z.string() }), { attempts: 8 });

/** Removes what is too old to be asked for: delivered events, and tokens that have expired. */
export const pruneOld = defineJob("events.prune", z.object({}), { deadlineMs: 600_000 });
