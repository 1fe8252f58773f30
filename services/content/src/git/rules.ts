import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { auditSpace } from "../audit.js";
import { syncView } from "../library/spaces/sync-view.js";
import { authorOf } from "../people/author.js";
import { lockTarget, resolveTarget } from "../revisions/target.js";
import type { Call, Ctx } from "../trpc.js";
import { exportGit, importGit } from "./jobs.js";
import * as operations from "./operations.js";
import type {
  EndGitSync,
  ExportGit,
  ExportRequest,
  ImportGit,
  ImportRequest,
  ReadGitInfo,
} from "./schema.js";
import { operationView } from "./view.js";

/**
 * Starts an import; how it goes is seen at `git/info`. Operations of one space run one after another, those of an
 * organization two at a time. 409 when something later was imported or exported already. 403 for who may not sync the
 * space with git, 404 to strangers.
 */
export async function importRepository({ ctx, input }: Call<typeof ImportGit>) {
  const { spaceId, ...request } = input;
  await start(ctx, spaceId, { direction: "import", request });
}

/**
 * Starts an export; how it goes is seen at `git/info`. It adds a commit to the branch, or begins it, and never goes
 * over commits that the space has not seen. 409 when something later was imported or exported already. 403 for who may
 * not sync the space with git, 404 to strangers.
 */
export async function exportRepository({ ctx, input }: Call<typeof ExportGit>) {
  const { spaceId, ...request } = input;
  await start(ctx, spaceId, { direction: "export", request });
}

type Start =
  | { direction: "import"; request: ImportRequest }
  | { direction: "export"; request: ExportRequest };

const RULES = {
  import: {
    job: importGit,
    action: "space.git.importRepository",
    reason: "outdated_import",
    outdated: "a later state of the repository is already there",
  },
  export: {
    job: exportGit,
    action: "space.git.exportRepository",
    reason: "outdated_export",
    outdated: "something later was imported or exported already",
  },
} as const;

async function start(ctx: Ctx, spaceId: string, { direction, request }: Start) {
  const { job, action, reason, outdated } = RULES[direction];
  const id = newId();
  await transact(ctx, async (ctx) => {
    const { space, organization } = await lockTarget(ctx, { spaceId }, "space.triggerGitSync");
    const created_by = await authorOf(ctx);
    if (operations.isOutdated(request, await operations.gitOf(ctx, space)))
      refuse("CONFLICT", `body.timestamp: ${outdated}`, { reason });
    const queue = await operations.queueFor(ctx, organization, space);
    const sealed = ctx.vault.seal(JSON.stringify(request), operations.requestOf(id));
    await operations.insert(ctx, { id, space, direction, created_by, request: sealed, queue });
    const { ref, repoProjectDirectory: directory = "", force } = request;
    // Of the address only the host: the rest may hold credentials.
    const details = { operation: id, host: new URL(request.url).host, ref, directory, force };
    await auditSpace(ctx, action, { id: space, organization }, details);
    await enqueue(ctx, job, { operation: id }, { queue });
  });
}

/** Returns the state of a space's synchronization with git, and of its latest operation; 404 while there was none. */
export async function info({ ctx, input }: Call<typeof ReadGitInfo>) {
  const { space } = await resolveTarget(ctx, { spaceId: input.spaceId });
  const [git, operation] = await Promise.all([operations.gitOf(ctx, space), operations.latest(ctx, space)]);
  found(git ?? operation, "Git");
  return { ...(git && syncView(git)), operation: operation && operationView(operation) };
}

/**
 * Ends the synchronization of a space with git: operations that run change nothing any more, and what is known of the
 * repository is forgotten. The content stays, and so do the paths of its files. 403 for who may not sync the space with
 * git.
 */
export async function removeLegacyInstallation({ ctx, input }: Call<typeof EndGitSync>) {
  await transact(ctx, async (ctx) => {
    const { spaceId } = input;
    const { space, organization } = await lockTarget(ctx, { spaceId }, "space.triggerGitSync");
    await operations.forget(ctx, space);
    await auditSpace(ctx, "space.git.removeLegacyInstallation", { id: space, organization }, {});
  });
}
