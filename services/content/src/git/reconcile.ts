import { GitSyncCompleted, GitSyncStarted } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { auditSpace } from "../audit.js";
import type { GitCommit } from "../db/tables/store.js";
import { keepRedirects } from "../references/git-redirects.js";
import { type Changes, commit } from "../revisions/commit.js";
import { commitPrimary } from "../revisions/primary.js";
import { type BranchHead, lockBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { GitError } from "./failure.js";
import { mergeLocalChanges, putLocalChangesAside } from "./local-changes.js";
import * as operations from "./operations.js";
import type { Repository } from "./repository.js";
import type { ImportRequest } from "./schema.js";
import { commitInfo, gitInfo, keepState, NO_COMMIT } from "./state.js";
import { keptSurroundings, type Surroundings, settingsIn, treeOf } from "./surroundings.js";

interface Reconciliation {
  operation: operations.Operation;
  request: ImportRequest;
  repository: Repository;
  surroundings: Surroundings;
  /** Compares the commit with what the space holds at this moment; undefined when it can not be told from what was read. */
  difference: (ctx: Ctx, head: BranchHead) => Promise<Changes | undefined>;
  /** Keeps what the texts say for the next import. */
  keepReadings: (ctx: Ctx) => Promise<void>;
}

/** What was read does not tell what changed. */
class Unclear extends Error {}

/**
 * Compares what was read of a commit with what the space holds at this moment, and commits the difference, in one
 * transaction. Returns whether it did: not when there is no telling what differs, and then nothing has changed.
 */
export async function reconcile(ctx: Ctx, reconciliation: Reconciliation): Promise<boolean> {
  try {
    await commitDifference(ctx, reconciliation);
    return true;
  } catch (error) {
    if (error instanceof Unclear) return false;
    throw error;
  }
}

async function commitDifference(ctx: Ctx, reconciliation: Reconciliation): Promise<void> {
  const { operation, request, repository, surroundings, difference, keepReadings } = reconciliation;
  const { id, space } = operation;
  await transact(ctx, async (ctx) => {
    const locked = await lockBranch(ctx, space);
    // A later one may have been imported while this one waited.
    if (operations.isOutdated(request, await operations.gitOf(ctx, space)))
      throw new GitError("A later state of the repository is already there");
    const { head, changeRequest } = request.standalone
      ? { head: locked }
      : await putLocalChangesAside(ctx, space, locked);
    const changes = await difference(ctx, head);
    if (!changes) throw new Unclear();
    const { commit: oid, message } = repository;
    const git =
      oid === undefined ? undefined : commitInfo({ oid, message, createdByService: false }, request);
    const organization = await operations.organizationOf(ctx, space);
    const started = { space, organization, revision: head.revision, commit: repository.commit };
    await emit(ctx, GitSyncStarted, space, started);
    const made = request.standalone
      ? await commitAside(ctx, space, head.seq, head.revision, changes, git)
      : await commitPrimary(ctx, { space, head, type: "edits", changes, git });
    const revision = made.id;
    if (!request.standalone) {
      const { repoProjectDirectory: directory = "" } = request;
      const tree = treeOf(request, surroundings);
      await operations.setGit(ctx, space, gitInfo(request, oid, ctx.clock(), tree));
      const same = { space, directory, commit: oid ?? NO_COMMIT, seq: made.seq };
      await keepReadings(ctx);
      await keepState(ctx, { ...same, ...keptSurroundings(surroundings) });
      await keepRedirects(ctx, space, settingsIn(surroundings));
    }
    if (changeRequest) await mergeLocalChanges(ctx, { space, organization, changeRequest });
    await operations.succeed(ctx, id, revision);
    const synced = { space, organization, revision, commit: repository.commit, state: "success" as const };
    await emit(ctx, GitSyncCompleted, space, synced);
    const details = { operation: id, startedBy: operation.created_by, commit: oid ?? null, revision };
    await auditSpace(ctx, "space.git.imported", { id: space, organization }, details);
  });
}

/** A revision beside the primary content: a branch of its own that nothing else writes to. */
async function commitAside(
  ctx: Ctx,
  space: string,
  seq: number,
  revision: string,
  changes: Changes,
  git: GitCommit | undefined,
) {
  const id = newId();
  const branch = { id, seq: 0, revision, base_seq: seq };
  await ctx.db
    .insertInto("branch")
    .values({ ...branch, space })
    .execute();
  return commit(ctx, { space, head: branch, type: "edits", changes, git });
}
