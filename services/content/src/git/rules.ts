import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { auditSpace } from "../audit.js";
import { syncView } from "../library/spaces/sync-view.js";
import { lockTarget, resolveTarget } from "../revisions/target.js";
import type { Call } from "../trpc.js";
import { importGit } from "./jobs.js";
import * as operations from "./operations.js";
import type { ImportGit, ReadGitInfo } from "./schema.js";
import { operationView } from "./view.js";

/**
 * Starts an import; how it goes is seen at `git/info`. Imports of one space run one after another, those of an
 * organization two at a time. 409 when a later state of the repository is already there.
 */
export async function importRepository({ ctx, input }: Call<typeof ImportGit>) {
  const { spaceId, ...request } = input;
  const id = newId();
  await transact(ctx, async (ctx) => {
    const { space, organization } = await lockTarget(ctx, { spaceId }, "space.triggerGitSync");
    const { id: created_by } = userOf(ctx);
    if (operations.isOutdated(request, await operations.gitOf(ctx, space))) {
      refuse("CONFLICT", "body.timestamp: a later state of the repository is already there", {
        reason: "outdated_import",
      });
    }
    const queue = await operations.queueFor(ctx, organization, space);
    const sealed = ctx.vault.seal(JSON.stringify(request), operations.requestOf(id));
    await operations.insert(ctx, { id, space, created_by, request: sealed, queue });
    const { ref, repoProjectDirectory: directory = "", force } = request;
    // Of the address only the host: the rest may hold credentials.
    const details = { operation: id, host: new URL(request.url).host, ref, directory, force };
    await auditSpace(ctx, "space.git.importRepository", { id: space, organization }, details);
    await enqueue(ctx, importGit, { operation: id }, { queue });
  });
}

/** Returns the state of a space's synchronization with git, and of its latest operation; 404 while there was none. */
export async function info({ ctx, input }: Call<typeof ReadGitInfo>) {
  const { space } = await resolveTarget(ctx, { spaceId: input.spaceId });
  const [git, operation] = await Promise.all([operations.gitOf(ctx, space), operations.latest(ctx, space)]);
  found(git ?? operation, "Git");
  return { ...(git && syncView(git)), operation: operation && operationView(operation) };
}
