import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** An import of what lies at an address. What it is refused for is kept with it; a crash is tried again. */
export const importContentJob = defineJob("content.import", z.object({ import: z.string() }), {
  attempts: 5,
  deadlineMs: 5 * 60_000,
});

/** The queue in which the imports of an organization run one after the other; the other slots are everybody else's. */
export const importQueueOf = (organization: string) => `content.import:${organization}`;
