import { SettingsError } from "@octavo/markdown/navigation/settings";
import { SummaryError } from "@octavo/markdown/navigation/summary";
import type { Ctx } from "../trpc.js";
import { GitError } from "./failure.js";
import * as operations from "./operations.js";

interface End {
  error: unknown;
  /** The service stops. */
  stopping: AbortSignal;
  /** The operation took too long. */
  deadline: AbortSignal;
  isLast: boolean;
}

/**
 * Ends an operation that failed, with its reason. Throws what is to be tried again: what nobody expects, and a remote
 * that is away, unless this was the last try.
 */
export async function endAfter(
  ctx: Ctx,
  operation: operations.Operation,
  { error, stopping, deadline, isLast }: End,
): Promise<void> {
  if (stopping.aborted) throw error;
  if (deadline.aborted) {
    await operations.fail(ctx, operation, {
      message: `The ${operation.direction} took too long and was stopped`,
    });
  } else if (error instanceof GitError && error.reason === "unreachable" && !isLast) {
    await operations.noteFailure(ctx, operation.id, error);
    throw error;
  } else if (error instanceof GitError) await operations.fail(ctx, operation, error);
  else if (error instanceof SummaryError || error instanceof SettingsError)
    await operations.fail(ctx, operation, { message: error.message });
  else throw error;
}
