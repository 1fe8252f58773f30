import { transact } from "@octavo/shared/database/transact";
import { locate } from "@octavo/shared/errors";
import { auditChangeRequest } from "../audit.js";
import { scopeOf } from "../content/scope.js";
import { fileView } from "../content/view.js";
import { contribute } from "../contributors/contribute.js";
import { changesOf, openDraft } from "../editing/draft.js";
import { downloadOf } from "../files/download-url.js";
import { keepBodies } from "../store/bodies.js";
import { commit } from "../store/commit.js";
import { lockBranch, versionOfBranch } from "../store/version.js";
import type { Call, Ctx } from "../trpc.js";
import { apply, type Batch } from "./apply.js";
import { keepDecisions } from "./decisions.js";
import { filesIn, receiveFiles } from "./insert-files.js";
import { checkNames, type Names, namesIn } from "./names.js";
import * as queries from "./queries.js";
import { read } from "./rules.js";
import type { Change, Edit, Get } from "./schema.js";
import { lockUnmerged } from "./status.js";

/**
 * Applies up to 50 changes to a change request, in their order: all of them, as one revision, or none. Files are
 * fetched before the transaction begins, and only for changes that would be taken as things are then.
 */
export async function edit({ ctx, input }: Call<typeof Edit>) {
  const { space, organization, changeRequest } = await scopeOf(ctx, input, "edit");
  const { id } = changeRequest!;
  const request = { space, organization, id, changes: input.changes, names: namesIn(input.changes) };
  const wanted = filesIn(input.changes);
  if (wanted.length > 0) await transact(ctx, (ctx) => draftOf(ctx, request));
  const files = await receiveFiles(ctx, wanted, request.names);
  return transact(ctx, async (ctx) => {
    const { branch, batch } = await draftOf(ctx, request);
    const { changeRequest, draft } = batch;
    for (const file of files) draft.put.set(file.id, file);
    await keepBodies(ctx, space, [...draft.texts.values()]);
    await keepDecisions(ctx, changeRequest, draft, batch);
    const revision = await commit(ctx, { space, head: branch, type: "edits", changes: changesOf(draft) });
    await queries.set(ctx, id, {});
    await contribute(ctx, id, "edit");
    const details = { space, revision: revision.id, changes: input.changes.length };
    await auditChangeRequest(ctx, "change-request.edit", { id, organization }, details);
    const shown = await read(ctx, id);
    if (input.compat) return shown;
    const insertedFiles = files.map((file) => fileView(file, true, downloadOf(ctx, { space })));
    return { changeRequest: shown, changes: batch.made, ...(files.length > 0 && { insertedFiles }) };
  });
}

/** Refuses who may not edit the change request at all, before the changes are read. */
export const admitEdit = ({ ctx, input }: Call<typeof Get>) => scopeOf(ctx, input, "edit");

interface Request {
  space: string;
  organization: string;
  /** The change request. */
  id: string;
  changes: Change[];
  names: Names;
}

/** The changes of a request put together on a change request that stays as it is until the transaction ends. */
async function draftOf(ctx: Ctx, { space, organization, id, changes, names }: Request) {
  const branch = await lockBranch(ctx, id);
  const changeRequest = await lockUnmerged(ctx, { id, organization }, "edited");
  const draft = openDraft(versionOfBranch(space, branch));
  await checkNames(ctx, draft, names);
  const refs = new Map<string, string>();
  const confirmed = { reported: new Set<string>(), now: new Set<string>() };
  const given = { space, changeRequest, draft, names, refs };
  const batch: Batch = { ...given, made: [], confirmed, undone: new Set() };
  for (const [at, change] of changes.entries())
    await locate(`body.changes.${at}`, () => apply(ctx, batch, change));
  return { branch, batch };
}
