import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { z } from "zod";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { maySpecify, specIn } from "./read.js";

/** Reads files that may be specifications before the first page shows an operation of them. */
export const readSpecFiles = defineJob("openapi.read-files", z.object({ hashes: z.string().array() }), {
  deadlineMs: 5 * 60_000,
});

/** Milliseconds after which a job begins no other file: somebody else's are next. */
const WITHIN_MS = 30_000;
/** Every other job goes first, since pages read what they need themselves. */
const PRIORITY = 10;

/**
 * Has those of some entries read that may be specifications, when the transaction that writes them has committed. One job at
 * a time does so, whoever the files belong to: they take one place among all jobs.
 */
export async function readSpecFilesSoon(ctx: Pick<Ctx, "db">, entries: readonly Entry[]): Promise<void> {
  const hashes = entries.flatMap((entry) => (maySpecify(entry) ? (entry.body ?? []) : []));
  if (hashes.length > 0)
    await enqueue(ctx, readSpecFiles, { hashes }, { queue: readSpecFiles.name, priority: PRIORITY });
}

/**
 * Reads one file after the other, so that a page which needs one meanwhile waits for one other at most. What is not begun in
 * time is left to the first page that shows an operation of it.
 */
export async function readAll(
  ctx: Ctx,
  hashes: readonly string[],
  { signal, withinMs = WITHIN_MS }: { signal: AbortSignal; withinMs?: number },
): Promise<void> {
  const until = performance.now() + withinMs;
  for (const hash of hashes) {
    if (performance.now() >= until) return;
    await specIn(ctx, hash);
    signal.throwIfAborted();
  }
}
