import { transact } from "@octavo/shared/database/transact";
import { locate } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { auditChangeRequest } from "../audit.js";
import { markdownOf } from "../content/document.js";
import { scopeOf } from "../content/scope.js";
import { fileView } from "../content/view.js";
import { contribute } from "../contributors/contribute.js";
import { changesOf, type Draft, openDraft } from "../editing/draft.js";
import { deletePage, draftPage, insertPage, updatePage } from "../editing/pages.js";
import { downloadOf } from "../files/download-url.js";
import { receive, receiveFrom } from "../files/receive.js";
import { keepBodies } from "../store/bodies.js";
import { commit } from "../store/commit.js";
import { type Entry, lockBranch, versionOfBranch } from "../store/version.js";
import type { Call, Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import { read } from "./rules.js";
import type { Change, Edit, InputFile, Made } from "./schema.js";
import { lockUnmerged } from "./status.js";

/** What the changes of one request share: names they gave, and what was made so far. */
interface Batch {
  space: string;
  changeRequest: string;
  draft: Draft;
  /** Pages by the temporary names that the request gave them. */
  refs: Map<string, string>;
  made: Made[];
}

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
    await lockUnmerged(ctx, id, "edited");
    const draft = openDraft(versionOfBranch(space, branch));
    const batch: Batch = { space, changeRequest: id, draft, refs: new Map(), made: [] };
    for (const [at, change] of input.changes.entries())
      await locate(`body.changes.${at}`, () => apply(ctx, batch, change));
    for (const file of files) draft.put.set(file.id, file);
    await keepBodies(ctx, space, [...draft.texts.values()]);
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

async function apply(ctx: Ctx, batch: Batch, change: Change) {
  const { draft, refs, made } = batch;
  const named = (id: string) => refs.get(id) ?? id;
  if (change.operation === "insert_page") {
    const { operation, into, at, ref, document, ...fields } = change;
    const place = { parent: into === undefined ? null : named(into), at };
    const page = await insertPage(
      ctx,
      draft,
      fields,
      place,
      markdownOf(document, fields.title ?? "Untitled"),
    );
    if (ref) refs.set(ref, page.id);
    made.push({ object: "created_page", ref, page: pageRef(ctx, batch, page.id) });
  } else if (change.operation === "update_page") {
    const { operation, page: id, into, at, document, ...fields } = change;
    const page = await draftPage(ctx, draft, named(id));
    const parent = into === undefined ? page.parent : into === null ? null : named(into);
    const place = into === undefined && at === undefined ? undefined : { parent, at };
    const markdown = document && markdownOf(document, fields.title ?? page.title);
    await updatePage(ctx, draft, page, { fields, markdown, place });
    made.push({ object: "updated_page", page: pageRef(ctx, batch, page.id) });
  } else if (change.operation === "delete_page") {
    const page = await draftPage(ctx, draft, named(change.page));
    await deletePage(ctx, draft, page);
    made.push({ object: "deleted_page", page: page.id });
  }
}

const pageRef = ({ urls }: Ctx, { space, changeRequest }: Batch, page: string) => ({
  object: "page" as const,
  id: page,
  urls: { location: urls.api`/spaces/${space}/change-requests/${changeRequest}/content/page/${page}` },
});

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
