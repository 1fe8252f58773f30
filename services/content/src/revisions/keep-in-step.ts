import { defineJob } from "@octavo/shared/jobs/define";
import { enqueueEach } from "@octavo/shared/jobs/enqueue";
import { sql } from "kysely";
import { z } from "zod";
import type { Ctx } from "../trpc.js";

/** Puts a space and the branch that it is kept in step with in step. Done by git, asked for by whatever moves a space. */
export const keepInStepJob = defineJob("git.sync", z.object({ space: z.string() }), {
  attempts: 5,
  deadlineMs: 40 * 60_000,
});

/** Changes that follow each other are exported together. */
const DEBOUNCE_MS = 1_000;

/** The queue in which a space is put in step, one run after the other. */
export const syncQueueOf = (space: string) => `git.sync:${space}`;

/** Has a space put in step soon; a run that waits already is the same. */
export const syncSoon = (ctx: Ctx, space: string, afterMs?: number) => syncAllSoon(ctx, [space], afterMs);

/** Has each of some spaces put in step soon, by one statement. */
export const syncAllSoon = (ctx: Ctx, spaces: string[], afterMs = DEBOUNCE_MS) => {
  const runAt = new Date(ctx.clock().getTime() + afterMs);
  return enqueueEach(
    ctx,
    keepInStepJob,
    spaces.map((space) => ({
      payload: { space },
      key: syncQueueOf(space),
      queue: syncQueueOf(space),
      runAt,
    })),
  );
};

/** A column of `space`: whether it is kept in step with a branch. */
export const IN_STEP = sql<boolean>`exists (select from git_sync where git_sync.space = space.id)`;
