import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { z } from "zod";
import type { Ctx } from "../../trpc.js";
import { dueSpaces } from "./purge.js";

/** Looks for spaces whose time in the trash is over. */
export const purgeDue = defineJob("spaces.purge-due", z.object({}));

/** Removes one of them. A try that is cut short has done its part; what fails for good is tried again within the hour. */
export const purgeSpace = defineJob("spaces.purge", z.object({ space: z.string() }), {
  deadlineMs: 30 * 60_000,
});

const AT_ONCE = 1000;

/** Has every space purged that is due, one after the other; what is too much for once comes with the next look. */
export async function purgeAllDue(ctx: Ctx): Promise<void> {
  for (const space of await dueSpaces(ctx, AT_ONCE))
    await enqueue(ctx, purgeSpace, { space }, { key: `spaces.purge ${space}`, queue: "spaces.purge" });
}
