import type { Head } from "../content/content.js";
import type { Ctx } from "../trpc.js";

/**
 * Asks content for the head of the space that an address led to last, while the site is looked up. What it returns resolves
 * with the head of the space that the address leads to now, which is asked for then if it is another one.
 */
export function prefetchHead(ctx: Ctx, url: string): (space: string) => Promise<Head | undefined> {
  // A query decides nothing of the space, and may hold a token, which nobody keeps.
  const [address] = url.split("?", 1) as [string];
  const last = ctx.spacesAt.get(address);
  const asked = last === undefined ? undefined : ctx.content.heads([last]);
  // Nobody may need it, and whoever does is told that it failed.
  asked?.catch(() => {});
  return async (space) => {
    if (space !== last) ctx.spacesAt.set(address, space);
    const [head] = await (asked && space === last ? asked : ctx.content.heads([space]));
    return head;
  };
}
