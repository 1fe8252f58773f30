import { SettingsError } from "@octavo/markdown/navigation/settings";
import { SummaryError } from "@octavo/markdown/navigation/summary";
import type { GitInfo } from "../db/tables/spaces.js";
import type { Ctx } from "../trpc.js";
import { stageAssets } from "./assets.js";
import { stageContents } from "./contents.js";
import { GitError } from "./failure.js";
import { countFiles } from "./files.js";
import * as operations from "./operations.js";
import { reconcile } from "./reconcile.js";
import { findRenames } from "./renames.js";
import { fetchRepository, type Repository } from "./repository.js";
import type { ImportRequest } from "./schema.js";
import { SkippedEntries } from "./skipped.js";
import { stagePages } from "./source-tree.js";
import { analyzeStagingTables, discard } from "./staged.js";

/** An import that takes longer has failed, and says so. */
const DEADLINE_MS = 15 * 60_000;

/**
 * Runs one import: fetches the commit, stages its pages and files, and moves the space to them in one transaction. A
 * failure is recorded with its reason, and the space stays as it was. Safe to run again after a crash at any point;
 * `stopping` ends it half-way, to be run again.
 */
export async function runImport(
  ctx: Ctx,
  operation: operations.Operation,
  stopping: AbortSignal,
): Promise<void> {
  const { id, space } = operation;
  const request = JSON.parse(ctx.vault.open(operation.request, operations.requestOf(id))) as ImportRequest;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const signal = AbortSignal.any([stopping, deadline]);
  let repository: Repository | undefined;
  try {
    await operations.reach(ctx, id, "repo_fetch");
    repository = await fetchRepository({ ...request, folder: ctx.workFolder, egress: ctx.egress, signal });
    const known = await operations.gitOf(ctx, space);
    if (!request.force && !request.standalone && isSynced(known, request, repository)) {
      await operations.succeed(ctx, id, null);
      return;
    }
    await operations.reach(ctx, id, "config_check");
    await discard(ctx, operation);
    const skipped = new SkippedEntries();
    await stagePages(ctx, operation, repository, { directory: request.repoProjectDirectory ?? "", skipped });
    await operations.reach(ctx, id, "content_process", await countFiles(ctx, id));
    await stageAssets(ctx, operation, repository, skipped);
    await stageContents(ctx, id, repository, skipped);
    await operations.noteSkipped(ctx, id, skipped.list());
    await analyzeStagingTables(ctx);
    await findRenames(ctx, operation, repository);
    await operations.reach(ctx, id, "finalize");
    signal.throwIfAborted();
    await reconcile(ctx, { operation, request, repository });
  } catch (error) {
    if (stopping.aborted) throw error;
    if (deadline.aborted) await operations.fail(ctx, operation, "The import took too long and was stopped");
    else if (isClear(error)) await operations.fail(ctx, operation, (error as Error).message);
    else throw error;
  } finally {
    await repository?.close();
    await discard(ctx, operation);
  }
}

/** Whether the space holds this very commit already. */
const isSynced = (
  known: GitInfo | null | undefined,
  { repoProjectDirectory = "" }: ImportRequest,
  { commit }: Repository,
) => known?.commit === commit && known.directory === repoProjectDirectory;

const isClear = (error: unknown) =>
  error instanceof GitError || error instanceof SummaryError || error instanceof SettingsError;
