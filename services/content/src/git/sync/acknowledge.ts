import type { Ctx } from "../../trpc.js";
import { type Clone, fetchClone } from "../clone.js";
import { noteExported } from "../export/run.js";
import { GitError } from "../failure.js";
import * as operations from "../operations.js";
import { run } from "../process.js";
import type { ExportRequest } from "../schema.js";
import { cacheOf } from "../state.js";

/** Commits of a branch among which a push without a result is looked for. */
const DEPTH = 100;

interface Acknowledged {
  space: string;
  /** Only what the first export of a sync with these settings pushed. */
  firstOf?: string;
  request: ExportRequest;
  signal: AbortSignal;
}

/**
 * Notes an export that the branch has, while the service died before it got the result, and that somebody pushed on top of
 * since. Else an import would take what they changed of it for a change beside it. Fetches only when there may be one.
 * Returns whether there was.
 */
export async function acknowledgePush(
  ctx: Ctx,
  { space, firstOf, request, signal }: Acknowledged,
): Promise<boolean> {
  const pushes = await operations.unconfirmedPushes(ctx, space);
  const unconfirmed = pushes.filter((push) => firstOf === undefined || push.firstOf === firstOf);
  if (unconfirmed.length === 0) return false;
  const { egress, workFolder: folder } = ctx;
  const { url, ref } = request;
  const cache = cacheOf(await operations.organizationOf(ctx, space), space, request);
  const clone = await fetchClone({ url, ref, cache, folder, egress, signal, depth: DEPTH }).catch(orNothing);
  if (!clone) return false;
  try {
    const history = await historyOf(clone, signal);
    const pushed = unconfirmed.find(({ commit }) => history.has(commit));
    return pushed !== undefined && (await noteExported(ctx, { space, request, clone, pushed, signal }));
  } finally {
    await clone.close();
  }
}

/** A remote that is away or refuses is for the operation that follows, which says so. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof GitError)) throw error;
}

async function historyOf({ dir, commit }: Clone, signal: AbortSignal): Promise<Set<string>> {
  if (commit === undefined) return new Set();
  const listed = await run(dir, ["rev-list", `--max-count=${DEPTH}`, commit], signal);
  return new Set(listed.split("\n"));
}
