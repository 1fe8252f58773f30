import type { Ctx } from "../trpc.js";
import { endAfter } from "./end.js";
import * as operations from "./operations.js";
import type { SyncRequest } from "./schema.js";
import { cacheOf } from "./state.js";

/** An operation that takes longer has failed, and says so. */
const DEADLINE_MS = 15 * 60_000;

/** How an operation of a space with git is run. */
export interface Try {
  /** Ends it half-way, to be run again. */
  stopping: AbortSignal;
  /** Whether what fails for now has failed for good. */
  isLast?: boolean;
}

interface Steps<Request, Remote> {
  /** Fetches what the remote has. */
  fetch: (from: { request: Request; cache: string; signal: AbortSignal }) => Promise<Remote>;
  run: (given: { request: Request; remote: Remote; signal: AbortSignal }) => Promise<void>;
  /** What is done at the end, however it came. */
  finish?: () => Promise<void>;
}

/**
 * Runs an import or an export: opens its request, fetches, and does the rest within 15 minutes. A failure is recorded with
 * its reason. While the remote is away it throws, unless this is the last try.
 */
export async function runOperation<Request extends SyncRequest, Remote extends { close(): Promise<void> }>(
  ctx: Ctx,
  operation: operations.Operation,
  { stopping, isLast = true }: Try,
  { fetch, run, finish }: Steps<Request, Remote>,
): Promise<void> {
  const { id, space } = operation;
  const request = JSON.parse(ctx.vault.open(operation.request, operations.requestOf(id))) as Request;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const signal = AbortSignal.any([stopping, deadline]);
  let remote: Remote | undefined;
  try {
    await operations.reach(ctx, id, "repo_fetch");
    const cache = cacheOf(await operations.organizationOf(ctx, space), space, request);
    remote = await fetch({ request, cache, signal });
    await run({ request, remote, signal });
  } catch (error) {
    await endAfter(ctx, operation, { error, stopping, deadline, isLast });
  } finally {
    await remote?.close();
    await finish?.();
  }
}
