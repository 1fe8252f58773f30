import { transact } from "@octavo/shared/database/transact";
import { locate } from "@octavo/shared/errors";
import { auditChangeRequest } from "../../../audit.js";
import { downloadOf } from "../../../files/download-url.js";
import { askAhead, changesOf, openDraft } from "../../../pages/editing/draft.js";
import { fileView } from "../../../pages/view.js";
import { commit } from "../../../revisions/commit.js";
import { lockTarget } from "../../../revisions/target.js";
import { keepBodies } from "../../../store/bodies.js";
import { type FileEntry, versionOfBranch } from "../../../store/version.js";
import type { Call, Ctx } from "../../../trpc.js";
import { contribute } from "../../contributors/contribute.js";
import { applyChange, type Batch } from "../apply-change.js";
import { filesIn, receiveFiles } from "../insert-files.js";
import { keepDecisions } from "../keep-decisions.js";
import { askToLockUnmergedBranch } from "../lock-unmerged.js";
import * as queries from "../queries.js";
import type { Edit, Get } from "../schema.js";
import { checkNames, idIn, type Names, namesIn } from "../temporary-names.js";
import { view } from "../view.js";

/**
 * Applies up to 50 changes to a change request, in their order: all of them, as one revision, or none. 400 for a change
 * that cannot be made and for a merged or archived change request, 403 for who may not edit the space, 404 when there
 * is no such change request. Files are fetched before the transaction begins, and only for changes that would be taken
 * as things are then.
 */
export async function edit({ ctx, input }: Call<typeof Edit>) {
  const wanted = filesIn(input.changes);
  const names = namesIn(input.changes);
  if (wanted.length > 0) await transact(ctx, (ctx) => draftOf(ctx, input, { names, files: [] }));
  const files = await receiveFiles(ctx, wanted, names);
  const { read, made } = await transact(ctx, async (ctx) => {
    const { organization, branch, batch } = await draftOf(ctx, input, { names, files });
    const { space, changeRequest, draft } = batch;
    const { id } = changeRequest;
    await keepBodies(ctx, space, [...draft.texts.values()]);
    await keepDecisions(ctx, changeRequest, draft, batch);
    const revision = await commit(ctx, { space, head: branch, type: "edits", changes: changesOf(draft) });
    await contribute(ctx, id, "edit");
    const details = { space, revision: revision.id, changes: input.changes.length };
    await auditChangeRequest(ctx, "change-request.edit", { id, organization }, details);
    return { read: await queries.touch(ctx, id), made: batch.made };
  });
  const changeRequest = view(ctx)(await read());
  if (input.compat) return changeRequest;
  const insertedFiles = files.map((file) => fileView(file, true, downloadOf(ctx, changeRequest)));
  return { changeRequest, changes: made, ...(files.length > 0 && { insertedFiles }) };
}

/**
 * Refuses who may not edit the change request at all, before the changes are read: 403, 404 to strangers. `edit`
 * decides once more.
 */
export const admitEdit = ({ ctx, input }: Call<typeof Get>) =>
  transact(ctx, (ctx) => lockTarget(ctx, input, "space.edit"));

/** The changes of a request put together on a change request that stays as it is until the transaction ends. */
async function draftOf(
  ctx: Ctx,
  input: Call<typeof Edit>["input"],
  { names, files }: { names: Names; files: FileEntry[] },
) {
  const scope = await lockTarget(ctx, input, "space.edit");
  const { space, organization, version } = scope;
  const locked = await askToLockUnmergedBranch(ctx, scope.changeRequest!.id, "edited");
  const named = input.changes.flatMap((change) => idIn(change) ?? []);
  // After the lock, on the way together with it.
  const fill = await askAhead(
    ctx,
    version,
    [...new Set(named)].filter((id) => !names.has(id)),
  );
  const { branch, changeRequest } = await locked();
  const draft = openDraft(versionOfBranch(space, branch));
  await checkNames(ctx, draft, names);
  await fill(draft);
  // Before the changes, whose texts may name them.
  for (const file of files) draft.put.set(file.id, file);
  const refs = new Map<string, string>();
  const confirmed = { reported: new Set<string>(), now: new Set<string>() };
  const given = { space, changeRequest, draft, names, refs };
  const batch: Batch = { ...given, made: [], confirmed, undone: new Set() };
  for (const [at, change] of input.changes.entries())
    await locate(`body.changes.${at}`, () => applyChange(ctx, batch, change));
  return { organization, branch, batch };
}
