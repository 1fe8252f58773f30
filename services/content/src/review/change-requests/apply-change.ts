import { markdownOf, type SentDocument } from "../../documents/document.js";
import { addressesFor, type PageLocation } from "../../pages/editing/addresses.js";
import type { Draft } from "../../pages/editing/draft.js";
import { draftEntry } from "../../pages/editing/draft.js";
import { deleteFile } from "../../pages/editing/files.js";
import { deletePage, draftPage, insertPage, updatePage } from "../../pages/editing/pages.js";
import { revertFile, revertPage } from "../../pages/editing/revert.js";
import { revertBlocks } from "../../pages/editing/revert-blocks.js";
import { entryById } from "../../store/entries.js";
import { mergeBasesOf } from "../../store/merge-bases.js";
import { same } from "../../store/merge-entry.js";
import { baseOf, ofKind, versionOfRevision } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { confirmFileRemoval, confirmRemoval } from "./confirm-removals.js";
import type { Confirmed, Reported } from "./keep-decisions.js";
import type { Change, Made } from "./schema.js";
import { type Names, withIds } from "./temporary-names.js";

type UpdatePage = Extract<Change, { operation: "update_page" }>;

/** What the changes of one request share: names they gave, and what was made so far. */
export interface Batch {
  space: string;
  changeRequest: Reported;
  draft: Draft;
  /** The names that the request gives; a document may use one before it is given. */
  names: Names;
  /** Pages that are there so far, by their names. */
  refs: Map<string, string>;
  made: Made[];
  confirmed: Confirmed;
  /** Pages of which blocks were put back, which is no decision against what the primary content has. */
  undone: Set<string>;
}

type Operation = Change["operation"];
type Apply<Name extends Operation> = (
  ctx: Ctx,
  batch: Batch,
  change: Extract<Change, { operation: Name }>,
) => Promise<Made | undefined>;

/** What each operation does to the draft of a batch, and what it made: an operation without an entry does not compile. */
const OPERATIONS: { [Name in Operation]: Apply<Name> } = {
  async insert_page(ctx, batch, { operation: _, into, at, ref, document, ...fields }) {
    const { draft, names, refs } = batch;
    const place = { parent: into === undefined ? null : pageNamed(batch, into), at };
    const lies = { git_path: null, parent: place.parent };
    const markdown = await written(ctx, batch, document, fields.title ?? "Untitled", lies);
    const page = await insertPage(ctx, draft, { ...fields, id: ref && names.get(ref)!.id }, place, markdown);
    if (ref) refs.set(ref, page.id);
    return { object: "created_page", ref, page: pageRef(ctx, batch, page.id) };
  },
  async update_page(ctx, batch, change) {
    const { operation: _, page: id, into, at, document, ...fields } = change;
    const { draft } = batch;
    const page = await draftPage(ctx, draft, pageNamed(batch, id));
    const parent = into === undefined ? page.parent : into === null ? null : pageNamed(batch, into);
    const place = into === undefined && at === undefined ? undefined : { parent, at };
    const lies = { git_path: page.git_path, parent };
    const markdown = document && (await written(ctx, batch, document, fields.title ?? page.title, lies));
    const updated = await updatePage(ctx, draft, page, { fields, markdown, place });
    if (same(updated, page)) confirm(batch, page.id, change);
    return { object: "updated_page", page: pageRef(ctx, batch, page.id) };
  },
  async delete_page(ctx, batch, change) {
    const page = pageNamed(batch, change.page);
    await remove(ctx, batch, page);
    return { object: "deleted_page", page };
  },
  async revert_page(ctx, batch, { page, revision, block }) {
    const { draft } = batch;
    const id = pageNamed(batch, page);
    const reverted = block
      ? await revertBlocks(ctx, draft, id, await former(ctx, batch, id, revision), block)
      : await revertPage(ctx, draft, id, await origin(ctx, batch, revision));
    return reverted
      ? { object: "updated_page", page: pageRef(ctx, batch, id) }
      : { object: "deleted_page", page: id };
  },
  // Files come in before the transaction that applies changes, see `receiveFiles`.
  async insert_files() {
    return undefined;
  },
  async delete_file(ctx, { draft, confirmed }, { file }) {
    const there = ofKind(await draftEntry(ctx, draft, file), "file");
    if (there) deleteFile(draft, there);
    else {
      await confirmFileRemoval(ctx, draft, file);
      confirmed.now.add(file);
    }
    return { object: "deleted_file", file };
  },
  async revert_file(ctx, batch, { file, revision }) {
    const reverted = await revertFile(ctx, batch.draft, file, await origin(ctx, batch, revision));
    return reverted
      ? { object: "updated_file", file: fileRef(ctx, batch, file) }
      : { object: "deleted_file", file };
  },
};

/** Applies one change to the draft of a batch, and notes what it made. */
export async function applyChange(ctx: Ctx, batch: Batch, change: Change): Promise<void> {
  const apply = OPERATIONS[change.operation] as Apply<Operation>;
  const made = await apply(ctx, batch, change);
  if (made) batch.made.push(made);
}

/** The id of a page that is there, or that the request made under this name. */
const pageNamed = ({ refs }: Batch, id: string) => refs.get(id) ?? id;

/** Nobody names a page and nothing else by chance, while a script may send a text again and again. */
function confirm({ confirmed }: Batch, page: string, { operation, page: _, ...fields }: UpdatePage) {
  const isBare = Object.values(fields).every((value) => value === undefined);
  (isBare ? confirmed.now : confirmed.reported).add(page);
}

async function remove(ctx: Ctx, { draft, confirmed }: Batch, id: string) {
  if (await draftEntry(ctx, draft, id)) return deletePage(ctx, draft, await draftPage(ctx, draft, id));
  for (const gone of await confirmRemoval(ctx, draft, id)) confirmed.now.add(gone);
}

/** What a page or file is put back from: a revision of the space, else what the change request stands on. */
async function origin(ctx: Ctx, { space, draft }: Batch, revision: string | undefined) {
  if (revision !== undefined) return { version: await versionOfRevision(ctx, space, revision), base: false };
  return { version: baseOf(draft.version)!, base: true };
}

/**
 * The page that blocks are put back from. Without a revision that is the common ancestor as merges see it, so that what
 * the primary content has comes in where a change request puts a block back, also if it decided otherwise before.
 */
async function former(ctx: Ctx, batch: Batch, id: string, revision: string | undefined) {
  const { version, base } = await origin(ctx, batch, revision);
  const moved = base ? (await mergeBasesOf(ctx, batch.changeRequest.id)).get(id) : undefined;
  if (base) batch.undone.add(id);
  return moved ?? entryById(ctx, version, id);
}

/** The markdown of what was sent for a page. */
async function written(
  ctx: Ctx,
  { draft, names }: Batch,
  { markdown, document }: SentDocument,
  title: string,
  place: PageLocation,
) {
  if (!document) return markdownOf({ markdown }, title);
  const meant = withIds(document, names);
  const addresses = await addressesFor(ctx, draft, place, meant);
  return ctx.work.run("renderSent", { json: JSON.stringify(meant), title, addresses });
}

const pageRef = ({ urls }: Ctx, { space, changeRequest }: Batch, page: string) => ({
  object: "page" as const,
  id: page,
  urls: { location: urls.api`/spaces/${space}/change-requests/${changeRequest.id}/content/page/${page}` },
});

const fileRef = ({ urls }: Ctx, { space, changeRequest }: Batch, file: string) => ({
  object: "file" as const,
  id: file,
  urls: { location: urls.api`/spaces/${space}/change-requests/${changeRequest.id}/content/files/${file}` },
});
