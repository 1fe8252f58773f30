import { GitSyncCompleted, GitSyncStarted } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { auditSpace } from "../audit.js";
import type { GitInfo } from "../db/tables/spaces.js";
import type { GitCommit } from "../db/tables/store.js";
import { type Changes, commit } from "../revisions/commit.js";
import { commitPrimary } from "../revisions/primary.js";
import { lockBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { compare } from "./entries.js";
import { GitError } from "./failure.js";
import { match } from "./match.js";
import * as operations from "./operations.js";
import type { Repository } from "./repository.js";
import type { ImportRequest } from "./schema.js";
import { stagedChanges } from "./staged.js";

interface Reconciliation {
  operation: operations.Operation;
  request: ImportRequest;
  repository: Repository;
}

/** Compares what was staged with what the space holds at this moment, and commits the difference, in one transaction. */
export async function reconcile(ctx: Ctx, { operation, request, repository }: Reconciliation): Promise<void> {
  const { id, space } = operation;
  await transact(ctx, async (ctx) => {
    const head = await lockBranch(ctx, space);
    // A later one may have been imported while this one waited.
    if (operations.isOutdated(request, await operations.gitOf(ctx, space)))
      throw new GitError("A later state of the repository is already there");
    await match(ctx, id, space);
    await compare(ctx, id, space);
    const changes = stagedChanges(ctx, id);
    const git = commitInfo(repository, request);
    const organization = await operations.organizationOf(ctx, space);
    await emit(ctx, GitSyncStarted, space, { space, organization, commit: repository.commit });
    const revision = request.standalone
      ? await commitAside(ctx, space, head.seq, head.revision, changes, git)
      : (await commitPrimary(ctx, { space, head, type: "edits", changes, git })).id;
    if (!request.standalone) await operations.setGit(ctx, space, gitInfo(request, repository, ctx.clock()));
    await operations.succeed(ctx, id, revision);
    const synced = { space, organization, revision, commit: repository.commit, state: "success" as const };
    await emit(ctx, GitSyncCompleted, space, synced);
    const details = { operation: id, startedBy: operation.created_by, commit: repository.commit, revision };
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
  git: GitCommit,
) {
  const id = newId();
  const branch = { id, seq: 0, revision, base_seq: seq };
  await ctx.db
    .insertInto("branch")
    .values({ ...branch, space })
    .execute();
  return (await commit(ctx, { space, head: branch, type: "edits", changes, git })).id;
}

function commitInfo({ commit, message }: Repository, { repoCommitURL, ref }: ImportRequest): GitCommit {
  const url = repoCommitURL && `${repoCommitURL.replace(/\/+$/, "")}/${commit}`;
  return { oid: commit, message, createdByService: false, url, ref };
}

function gitInfo(request: ImportRequest, { commit }: Repository, now: Date): GitInfo {
  const { url, gitInfo, repoTreeURL, timestamp, repoProjectDirectory: directory = "" } = request;
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return {
    // The name of a bare repository ends with `.git`; that of another one is its folder, with `.git` inside.
    repoName: plain.pathname.replace(/^\/+|(?:\/*\.git)?\/*$/g, ""),
    installationProvider: gitInfo?.provider,
    url: gitInfo?.url ?? repoTreeURL ?? plain.href,
    updatedAt: now.toISOString(),
    commit,
    directory,
    timestamp,
  };
}
