import { commitPrimary } from "../revisions/primary.js";
import { lockBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { keyOf } from "./dependencies.js";
import { insertResult } from "./keep.js";
import * as results from "./results.js";

/**
 * Has nothing more shown of what integrations of the old owner computed for spaces that another organization has now, in
 * the transaction that hands them over: pages are as they are declared, by a revision, until the new owner's integrations
 * have computed them. Earlier revisions show what they showed.
 */
export async function endResultsOf(ctx: Ctx, spaces: string[]): Promise<void> {
  await results.forgetAsks(ctx, spaces);
  for (const [space, shown] of await results.shownIn(ctx, spaces)) {
    const head = await lockBranch(ctx, space);
    const now = ctx.clock();
    for (const key of shown)
      await insertResult(ctx, { space, key, inputs: results.NOTHING, pages: null, created_at: now });
    const declared = (await results.sourcesIn(ctx, space, now)).map(({ source }) => keyOf(source));
    if (!declared.some((key) => shown.includes(key))) continue;
    await commitPrimary(ctx, { space, head, type: "edits", changes: { put: [], remove: [] } });
  }
}
