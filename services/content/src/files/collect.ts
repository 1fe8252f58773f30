import { transact } from "@octavo/shared/database/transact";
import { GRACE_MS } from "../store/grace.js";
import { sweepBodies } from "../store/sweep.js";
import type { Ctx } from "../trpc.js";
import { checkDue } from "./contents.js";
import { forgetUnused } from "./forget-unused.js";

/** Contents that are locked at a time: an upload of one of them waits as long as it takes to remove them all. */
const CONTENTS = 20;
const BODIES = 1000;
const UPLOADS = 100;

/**
 * Removes what was stored and is named by nothing: uploads, contents of files, texts of pages, and what a crash left
 * half received. It costs what came in or was purged since the last time.
 */
export async function collect(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await ctx.storage.sweep(new Date(ctx.clock().getTime() - GRACE_MS));
  while ((await transact(ctx, (ctx) => forgetUnused(ctx, UPLOADS))) > 0) signal?.throwIfAborted();
  while ((await transact(ctx, (ctx) => checkDue(ctx, CONTENTS))) > 0) signal?.throwIfAborted();
  while ((await sweepBodies(ctx, BODIES)) > 0) signal?.throwIfAborted();
}
