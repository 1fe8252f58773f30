import { headOf, primaryAt } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { type Clone, fetchClone } from "../clone.js";
import { GitError } from "../failure.js";
import * as operations from "../operations.js";
import { runOperation, type Try } from "../run-operation.js";
import type { ExportRequest } from "../schema.js";
import { stateOf } from "../state.js";
import { surroundingsIn } from "../surroundings.js";
import { branchAt } from "./branch.js";
import { makeCommit } from "./commit.js";
import { type Plan, planExport } from "./plan.js";
import { record } from "./record.js";
import { failOnUnsafe } from "./unsafe.js";

/**
 * Runs one export: fetches the branch, adds a commit with what it does not have of the space, pushes it, and notes that
 * both are the same. A failure is recorded with its reason, and neither side has changed. Safe to run again after a
 * crash at any point; `stopping` ends it half-way, to be run again. While the remote is away it throws, unless this is
 * the last try.
 */
export async function runExport(
  ctx: Ctx,
  operation: operations.Operation,
  stopping: AbortSignal,
  { isLast }: Pick<Try, "isLast"> = {},
): Promise<void> {
  const { egress, workFolder: folder } = ctx;
  await runOperation<ExportRequest, Clone>(
    ctx,
    operation,
    { stopping, isLast },
    {
      fetch: ({ request: { url, ref }, cache, signal }) =>
        fetchClone({ url, ref, cache, folder, egress, signal }),
      run: ({ request, remote, signal }) => exportTo(ctx, { operation, request, clone: remote, signal }),
    },
  );
}

async function exportTo(ctx: Ctx, run: Run): Promise<void> {
  const { clone, request } = run;
  const { space } = run.operation;
  if (operations.isOutdated(request, await operations.gitOf(ctx, space)))
    throw new GitError("Something later was imported or exported already");
  // What an earlier try pushed without getting the result is recorded first; the rest follows from there.
  const pushed = (await operations.unconfirmedPushes(ctx, space)).find(
    ({ commit }) => commit === clone.commit,
  );
  if (pushed) await exportVersion(ctx, run, { seq: pushed.seq, ends: false });
  const { seq } = await headOf(ctx, space);
  await exportVersion(ctx, run, { seq, ends: true });
}

interface Run {
  operation: operations.Operation;
  request: ExportRequest;
  clone: Clone;
  signal: AbortSignal;
}

/** Brings the branch to the state that the space had at the revision with this number. */
async function exportVersion(
  ctx: Ctx,
  { operation, request, clone, signal }: Run,
  { seq, ends }: { seq: number; ends: boolean },
): Promise<void> {
  const { id, space } = operation;
  const { repoProjectDirectory: directory = "" } = request;
  await operations.reach(ctx, id, "config_check");
  const { dir, commit: tip } = clone;
  const known = await stateOf(ctx, space);
  const isSame = known !== undefined && known.commit === tip && known.directory === directory;
  if (tip !== undefined && !isSame && ends && !request.force)
    await failOnUnseen(ctx, space, { tip, directory });
  const since = isSame ? known.seq : undefined;
  const { plan, made } = await commitVersion(ctx, {
    space,
    request,
    dir,
    signal,
    tip,
    seq,
    since,
    // What was pushed already is taken for what it is.
    check: ends ? ({ unsafe }) => failOnUnsafe(unsafe) : undefined,
  });
  await operations.reach(ctx, id, "finalize");
  signal.throwIfAborted();
  if (made.commit !== tip) {
    const { firstOf } = request;
    await operations.notePushed(ctx, id, { commit: made.commit, seq, directory, firstOf });
    await clone.push(made.commit);
  }
  await record(ctx, { space, operation: ends ? operation : undefined, request, plan, made, seq, tip });
}

interface Committed {
  space: string;
  request: ExportRequest;
  dir: string;
  signal: AbortSignal;
  tip: string | undefined;
  seq: number;
  since: number | undefined;
  /** Throws for what is not to become a commit. */
  check?: (plan: Plan) => void;
}

/** Makes the commit that a branch needs to hold a version of the space; it is the tip itself when nothing differs. */
async function commitVersion(ctx: Ctx, { space, request, dir, signal, tip, seq, since, check }: Committed) {
  const { repoProjectDirectory: directory = "", commitMessage: message } = request;
  const known = surroundingsIn(await stateOf(ctx, space));
  const branch = branchAt({ dir, commit: tip, directory }, signal);
  const span = { version: { ...primaryAt(space), seq }, since };
  const plan = await planExport(ctx, span, { branch, known, directory });
  check?.(plan);
  const { files } = plan;
  const made = await makeCommit({ dir, parent: tip, message, time: ctx.clock(), files, signal });
  return { plan, made };
}

interface Unheard {
  space: string;
  request: ExportRequest;
  clone: Clone;
  /** What an export pushed, which is in the history of the clone. */
  pushed: { commit: string; seq: number; directory: string };
  signal: AbortSignal;
}

/** Notes that a commit of the branch is the version of the space that an export pushed as it, and returns whether it is. */
export async function noteExported(
  ctx: Ctx,
  { space, request, clone, pushed, signal }: Unheard,
): Promise<boolean> {
  const { commit: tip, seq, directory } = pushed;
  const then = { ...request, repoProjectDirectory: directory };
  const { plan, made } = await commitVersion(ctx, {
    space,
    request: then,
    dir: clone.dir,
    signal,
    tip,
    seq,
    since: undefined,
  });
  if (made.commit !== tip) return false;
  await record(ctx, { space, request: then, plan, made, seq, tip });
  return true;
}

/** Fails when a branch leads to a commit that the space has never seen. */
async function failOnUnseen(ctx: Ctx, space: string, { tip, directory }: { tip: string; directory: string }) {
  const git = await operations.gitOf(ctx, space);
  if (git?.commit === tip && git.directory === directory) return;
  throw new GitError(
    "The branch has commits that the space has not seen: import them, or export with force to put the space on top of them",
    "conflict",
  );
}
