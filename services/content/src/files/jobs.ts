import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Removes contents of files, and texts, that nothing names any more, or never has. */
export const collectStored = defineJob("files.collect", z.object({}), { deadlineMs: 30 * 60_000 });
