import { transact } from "@octavo/shared/database/transact";
import { locate } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { auditChangeRequest } from "../audit.js";
import { scopeOf } from "../content/scope.js";
import { fileView } from "../content/view.js";
import { contribute } from "../contributors/contribute.js";
import { changesOf, openDraft } from "../editing/draft.js";
import { downloadOf } from "../files/download-url.js";
import { receive, receiveFrom } from "../files/receive.js";
import { keepBodies } from "../store/bodies.js";
import { commit } from "../store/commit.js";
import { type Entry, lockBranch, versionOfBranch } from "../store/version.js";
import type { Call, Ctx } from "../trpc.js";
import { apply, type Batch } from "./apply.js";
import { keepDecisions } from "./decisions.js";
import * as queries from "./queries.js";
import { read } from "./rules.js";
import type { Change, Edit, InputFile } from "./schema.js";
import { lockUnmerged } from "./status.js";

/**
 * Applies up to 50 changes to a change request, in their order: all of them, as one revision, or none. Files are
 * fetched before the transaction begins.
 */
export async function edit({ ctx, input }: Call<typeof Edit>) {
  const { space, organization, changeRequest } = await scopeOf(ctx, input, "edit");
  const { id } = changeRequest!;
  const files = await receiveFiles(ctx, input.changes);
  return transact(ctx, async (ctx) => {
    const branch = await lockBranch(ctx, id);
    const changeRequest = await lockUnmerged(ctx, id, "edited");
    const draft = openDraft(versionOfBranch(space, branch));
    const confirmed = new Set<string>();
    const batch: Batch = { space, changeRequest, draft, refs: new Map(), made: [], confirmed };
    for (const [at, change] of input.changes.entries())
      await locate(`body.changes.${at}`, () => apply(ctx, batch, change));
    for (const file of files) draft.put.set(file.id, file);
    await keepBodies(ctx, space, [...draft.texts.values()]);
    await keepDecisions(ctx, changeRequest, draft, confirmed);
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

async function receiveFiles(ctx: Ctx, changes: Change[]): Promise<Entry[]> {
  const wanted = changes.flatMap((change) => (change.operation === "insert_files" ? change.files : []));
  const entries: Entry[] = [];
  for (const file of wanted) entries.push(await receiveFile(ctx, file));
  return entries;
}

async function receiveFile(ctx: Ctx, file: InputFile): Promise<Entry> {
  const { name } = file;
  const { hash, props } =
    "url" in file
      ? await receiveFrom(ctx, file.url, { name })
      : await receive(ctx, Buffer.from(file.base64, "base64"), { name });
  return {
    id: newId(),
    kind: "file",
    parent: null,
    position: "",
    slug: null,
    title: file.name,
    body: hash,
    git_path: null,
    git_oid: null,
    props: { ...props },
    created_at: ctx.clock().toISOString(),
    updated_at: null,
  };
}
