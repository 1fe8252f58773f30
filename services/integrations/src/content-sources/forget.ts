import type { z } from "zod";
import type { forgetSources } from "../event-queue/jobs.js";
import * as installations from "../store/installations.js";
import type { Ctx } from "../trpc.js";

/**
 * Has content show nothing more of what an integration computed, in the spaces of an organization, or the one, in which it
 * is not at work any more; safe to run again.
 */
export async function forget(
  ctx: Ctx,
  { integration, name, installation, organization, space }: z.output<typeof forgetSources.payload>,
): Promise<void> {
  const spaces = space === undefined ? await ctx.content.computedSpaces(ctx, organization) : [space];
  for (const content of spaces) {
    ctx.signal?.throwIfAborted();
    // It may have been installed again.
    if (await installations.atWork(ctx, { kind: "space", content, organization }, integration)) continue;
    await ctx.content.forgetSources(ctx, content, { integration: name, installation, organization });
  }
}
