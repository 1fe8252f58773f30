import type { GitInfo } from "../db/tables/spaces.js";
import type { Ctx } from "../trpc.js";
import { stageAssets } from "./assets.js";
import { stageContents } from "./contents.js";
import { endAfter } from "./end.js";
import { countFiles } from "./files.js";
import * as operations from "./operations.js";
import { reconcile } from "./reconcile.js";
import { findRenames } from "./renames.js";
import { fetchRepository, type Repository } from "./repository.js";
import type { ImportRequest } from "./schema.js";
import { SkippedEntries } from "./skipped.js";
import { stagePages } from "./source-tree.js";
import { analyzeStagingTables, discard } from "./staged.js";
import { cacheOf } from "./state.js";
import { surroundingsAt } from "./surroundings.js";
import { textOf } from "./texts.js";

/** An import that takes longer has failed, and says so. */
const DEADLINE_MS = 15 * 60_000;

/**
 * Runs one import: fetches the commit, stages its pages and files, and moves the space to them in one transaction. A
 * failure is recorded with its reason, and the space stays as it was. Safe to run again after a crash at any point;
 * `stopping` ends it half-way, to be run again. While the remote is away it throws, unless this is the last try.
 */
export async function runImport(
  ctx: Ctx,
  operation: operations.Operation,
  stopping: AbortSignal,
  { isLast = true }: { isLast?: boolean } = {},
): Promise<void> {
  const { id, space } = operation;
  const request = JSON.parse(ctx.vault.open(operation.request, operations.requestOf(id))) as ImportRequest;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const signal = AbortSignal.any([stopping, deadline]);
  let repository: Repository | undefined;
  try {
    await operations.reach(ctx, id, "repo_fetch");
    const { url, ref } = request;
    const cache = cacheOf(await operations.organizationOf(ctx, space), space, request);
    const { egress, workFolder: folder } = ctx;
    repository = await fetchRepository({ url, ref, cache, folder, egress, signal });
    const known = await operations.gitOf(ctx, space);
    if (!request.force && !request.standalone && isSynced(known, request, repository)) {
      await operations.succeed(ctx, id, null);
      return;
    }
    await operations.reach(ctx, id, "config_check");
    await discard(ctx, operation);
    const skipped = new SkippedEntries();
    const { repoProjectDirectory: directory = "" } = request;
    await stagePages(ctx, operation, repository, { directory, skipped });
    await operations.reach(ctx, id, "content_process", await countFiles(ctx, id));
    await stageAssets(ctx, operation, repository, skipped);
    await stageContents(ctx, id, repository, skipped);
    await operations.noteSkipped(ctx, id, skipped.list());
    await analyzeStagingTables(ctx);
    await findRenames(ctx, operation, repository);
    const surroundings = await surroundingsOf(repository, directory);
    await operations.reach(ctx, id, "finalize");
    signal.throwIfAborted();
    await reconcile(ctx, { operation, request, repository, surroundings });
  } catch (error) {
    await endAfter(ctx, operation, { error, stopping, deadline, isLast });
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

const surroundingsOf = (repository: Repository, directory: string) =>
  surroundingsAt(
    { file: (...at) => repository.file(...at), textOf: (file) => textOf(repository, file) },
    directory,
  );
