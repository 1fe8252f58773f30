import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Delivers all events that wait for the scripts of one publishing organization. */
export const deliverWaiting = defineJob("events.deliverWaiting", z.object({ publisher: z.string() }), {
  attempts: 5,
  deadlineMs: 20 * 60_000,
});

/**
 * Delivers one event: a task, or what an earlier release recorded. The tries are for our own failures; the integration's
 * response is final.
 */
export const deliverEvent = defineJob("events.deliver", z.object({ event: z.string() }), { attempts: 8 });

/** Has scripts compute what a space, or every space of an organization, shows of them. */
export const computeSources = defineJob(
  "sources.compute",
  z.object({ organization: z.string(), space: z.string().optional() }),
  { attempts: 5, deadlineMs: 20 * 60_000 },
);

/** Has everything computed anew that an integration computes, as it has another version. */
export const recomputeSources = defineJob("sources.recompute", z.object({ integration: z.string() }), {
  attempts: 5,
});

/** Has content show nothing more of what an integration computed, where it is not at work any more. */
export const forgetSources = defineJob(
  "sources.forget",
  z.object({
    integration: z.string(),
    name: z.string(),
    installation: z.string(),
    organization: z.string(),
    space: z.string().optional(),
  }),
  { attempts: 12, deadlineMs: 20 * 60_000 },
);

/** Hands down to sites for which of them an installation signs in visitors, and with which key. */
export const offerVisitorAuth = defineJob(
  "visitorAuth.offer",
  z.object({ installation: z.string(), organization: z.string() }),
  { attempts: 12 },
);

/** Hands down to sites anew for which of them the installations of an integration sign in visitors, as its scopes changed. */
export const offerVisitorAuthOfAll = defineJob(
  "visitorAuth.offerAll",
  z.object({ integration: z.string() }),
  {
    attempts: 5,
  },
);

/** Hands down to sites what an installation puts into their pages. */
export const handDownScript = defineJob(
  "scripts.handDown",
  z.object({ installation: z.string(), organization: z.string() }),
  { attempts: 12 },
);

/** Hands down to sites anew what the installations of an integration put into pages, as it has another version. */
export const handDownScriptOfAll = defineJob("scripts.handDownAll", z.object({ integration: z.string() }), {
  attempts: 5,
  deadlineMs: 600_000,
});

/** Removes what is too old to be asked for: delivered events, and tokens that have expired. */
export const pruneOld = defineJob("events.prune", z.object({}), { deadlineMs: 600_000 });
