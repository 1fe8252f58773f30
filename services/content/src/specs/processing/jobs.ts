import { transact } from "@octavo/shared/database/transact";
import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { z } from "zod";
import type { Ctx } from "../../trpc.js";
import * as specs from "../store/specs.js";

/** Makes a version of the source of a specification, if it changed. Its failures are kept with the specification. */
export const processSpec = defineJob("openapi.process", z.object({ spec: z.string() }), {
  attempts: 3,
  deadlineMs: 5 * 60_000,
});

/** Looks for specifications whose address is to be looked at again. */
export const refreshSpecs = defineJob("openapi.refresh", z.object({}));

/** How often an address is looked at. Source: the interface. */
export const REFRESH_MS = 6 * 3_600_000;

/** Has a specification processed; those of one organization one after the other. */
export const enqueueProcessing = (
  ctx: Parameters<typeof enqueue>[0],
  { id, organization }: { id: string; organization: string },
) =>
  enqueue(ctx, processSpec, { spec: id }, { key: `openapi.process ${id}`, queue: `openapi:${organization}` });

const AT_ONCE = 500;

/** Has every specification processed again whose address was looked at six hours ago. */
export async function refreshDue(ctx: Ctx, signal: AbortSignal): Promise<void> {
  for (let more = true; more; signal.throwIfAborted()) more = await transact(ctx, refreshSome);
}

async function refreshSome(ctx: Ctx): Promise<boolean> {
  const due = await specs.lockDue(ctx, AT_ONCE);
  // Should the run be lost, the address is looked at six hours later all the same.
  const check_at = new Date(ctx.clock().getTime() + REFRESH_MS);
  for (const spec of due) {
    await specs.update(ctx, spec.id, { processing_state: "pending", check_at });
    await enqueueProcessing(ctx, spec);
  }
  return due.length === AT_ONCE;
}
