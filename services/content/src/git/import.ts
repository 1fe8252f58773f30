import type { GitInfo } from "../db/tables/spaces.js";
import type { Ctx } from "../trpc.js";
import { stageAssets } from "./assets.js";
import { importChangedFiles } from "./changed-files.js";
import { stageContents } from "./contents.js";
import { compare } from "./entries.js";
import { countFiles } from "./files.js";
import { match } from "./match.js";
import * as operations from "./operations.js";
import { keepReadings } from "./readings.js";
import { reconcile } from "./reconcile.js";
import { findRenames } from "./renames.js";
import { fetchRepository, type Repository } from "./repository.js";
import { runOperation, type Try } from "./run-operation.js";
import type { ImportRequest } from "./schema.js";
import { SkippedEntries } from "./skipped.js";
import { stagePages } from "./source-tree.js";
import { analyzeStagingTables, discard, stagedChanges } from "./staged.js";
import { surroundingsAt } from "./surroundings.js";
import { textOf } from "./texts.js";

/**
 * Runs one import: fetches the commit, stages its pages and files, and moves the space to them in one transaction. A
 * failure is recorded with its reason, and the space stays as it was. Safe to run again after a crash at any point;
 * `stopping` ends it half-way, to be run again. While the remote is away it throws, unless this is the last try.
 */
export async function runImport(
  ctx: Ctx,
  operation: operations.Operation,
  stopping: AbortSignal,
  { isLast }: Pick<Try, "isLast"> = {},
): Promise<void> {
  const { egress, workFolder: folder } = ctx;
  await runOperation<ImportRequest, Repository>(
    ctx,
    operation,
    { stopping, isLast },
    {
      fetch: ({ request: { url, ref, continues }, cache, signal }) =>
        fetchRepository({ url, ref, cache, folder, egress, signal, mayBeEmpty: !continues }),
      run: ({ request, remote, signal }) => importFrom(ctx, operation, request, remote, signal),
      finish: () => discard(ctx, operation),
    },
  );
}

async function importFrom(
  ctx: Ctx,
  operation: operations.Operation,
  request: ImportRequest,
  repository: Repository,
  signal: AbortSignal,
): Promise<void> {
  const { id, space } = operation;
  const known = await operations.gitOf(ctx, space);
  if (!request.force && !request.standalone && isSynced(known, request, repository))
    return operations.succeed(ctx, id, null);
  await operations.reach(ctx, id, "config_check");
  const { commit } = repository;
  if (commit !== undefined && (await importChangedFiles(ctx, operation, request, { repository, signal })))
    return;
  await importAll(ctx, operation, request, { repository, signal });
}

/** Stages all that the commit holds, and compares it with all that the space holds. */
async function importAll(
  ctx: Ctx,
  operation: operations.Operation,
  request: ImportRequest,
  { repository, signal }: { repository: Repository; signal: AbortSignal },
): Promise<void> {
  const { id, space } = operation;
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
  await reconcile(ctx, {
    operation,
    request,
    repository,
    surroundings,
    difference: async (ctx) => {
      await match(ctx, id, space);
      await compare(ctx, id, space);
      return stagedChanges(ctx, id);
    },
    keepReadings: (ctx) => keepReadings(ctx, { id, space }),
  });
}

/** Whether the space holds this very commit already. */
const isSynced = (
  known: GitInfo | null | undefined,
  { repoProjectDirectory = "" }: ImportRequest,
  { commit }: Repository,
) => commit !== undefined && known?.commit === commit && known.directory === repoProjectDirectory;

const surroundingsOf = (repository: Repository, directory: string) =>
  surroundingsAt(
    { file: (...at) => repository.file(...at), textOf: (file) => textOf(repository, file) },
    directory,
  );
