import { transact } from "@octavo/shared/database/transact";
import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { z } from "zod";
import { commitPrimary } from "../revisions/primary.js";
import { lockBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

/** Finds the spaces whose pages are computed from a specification, since that is another one now. */
export const followSpec = defineJob(
  "computed.followSpec",
  z.object({ organization: z.string(), slug: z.string() }),
  { attempts: 5 },
);

/** Adds a revision to a space in which what is computed is read anew. `since` is when what it depends on changed. */
export const showSpace = defineJob("computed.showSpace", z.object({ space: z.string(), since: z.string() }), {
  attempts: 5,
});

/** Has what spaces show of a specification shown as it is now, after the transaction that changes it. */
export const showSpecAnew = (ctx: Ctx, { organization, slug }: { organization: string; slug: string }) =>
  enqueue(ctx, followSpec, { organization, slug });

/** Has each space shown anew whose pages are computed from a specification. */
export async function follow(
  ctx: Ctx,
  { organization, slug }: { organization: string; slug: string },
): Promise<void> {
  const since = ctx.clock().toISOString();
  await transact(ctx, async (ctx) => {
    for (const space of await queries.spacesOfSpec(ctx, organization, slug))
      await enqueue(ctx, showSpace, { space, since }, { key: `computed ${space}` });
  });
}

/** Adds a revision without changes to a space: what it shows is as its sources are by then. */
export async function showAnew(ctx: Ctx, { space, since }: { space: string; since: string }): Promise<void> {
  // Another copy of the service may have read that time from a clock that is ahead.
  const now = new Date(Math.max(ctx.clock().getTime(), Date.parse(since)));
  await transact({ ...ctx, clock: () => now }, async (ctx) => {
    if (!(await queries.isLive(ctx, space))) return;
    const head = await lockBranch(ctx, space);
    await commitPrimary(ctx, { space, head, type: "edits", changes: { put: [], remove: [] } });
  });
}
