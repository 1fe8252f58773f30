import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { z } from "zod";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { maySpecify, specIn } from "./read.js";

/** Reads files that may be specifications before the first page shows an operation of them. */
export const readSpecFiles = defineJob("openapi.read-files", z.object({ hashes: z.string().array() }), {
  deadlineMs: 10 * 60_000,
});

/** Has those of some entries read that may be specifications, when the transaction that writes them has committed. */
export async function readSpecFilesSoon(
  ctx: Pick<Ctx, "db">,
  space: string,
  entries: readonly Entry[],
): Promise<void> {
  const hashes = entries.flatMap((entry) => (maySpecify(entry) ? (entry.body ?? []) : []));
  if (hashes.length > 0)
    await enqueue(ctx, readSpecFiles, { hashes }, { queue: `${readSpecFiles.name} ${space}` });
}

/** Reads one file after the other, so that a page which needs one meanwhile waits for one other at most. */
export async function readAll(ctx: Ctx, hashes: readonly string[], signal: AbortSignal): Promise<void> {
  for (const hash of hashes) {
    await specIn(ctx, hash);
    signal.throwIfAborted();
  }
}
