import { withoutIdentity } from "../content/content.js";
import type { Ctx } from "../trpc.js";

/**
 * Waits until content has handled an event, for some seconds at most, so that the caller finds it handled. An
 * event that comes later, or a content service that is away, changes nothing about what was written here.
 */
export async function awaitContent(ctx: Ctx, event: string | undefined): Promise<void> {
  if (event === undefined) return;
  const { log } = ctx;
  try {
    const heard = await ctx.content.hears(withoutIdentity(ctx), event);
    if (!heard) log.warn({ event }, "content has not heard yet of what was changed");
  } catch (error) {
    log.warn({ err: error, event }, "content cannot be asked whether it has heard of what was changed");
  }
}
