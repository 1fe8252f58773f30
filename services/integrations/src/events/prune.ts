import * as tokens from "../tokens/rules.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

const KEPT_DAYS = 30;
const BATCH = 1000;

/** Removes delivered events after 30 days, and the tokens that have expired, in small transactions. */
export async function prune(ctx: Ctx): Promise<void> {
  await tokens.prune(ctx);
  while ((await queries.dropOlder(ctx, KEPT_DAYS, BATCH)) === BATCH) ctx.signal?.throwIfAborted();
}
