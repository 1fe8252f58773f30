import { markdownOf, type SentDocument } from "../../documents/document.js";
import type { SentText } from "../../documents/texts.js";
import { addressesFor, type PageLocation } from "../../pages/editing/addresses.js";
import { deleteEntry } from "../../pages/editing/delete-entry.js";
import type { Draft } from "../../pages/editing/draft.js";
import { draftEntry } from "../../pages/editing/draft.js";
import { deletePage, draftPage, insertPage, updatePage } from "../../pages/editing/pages.js";
import {
  draftReusableContent,
  insertReusableContent,
  updateReusableContent,
} from "../../pages/editing/reusable-contents.js";
import { revertFile, revertPage } from "../../pages/editing/revert.js";
import { revertBlocks } from "../../pages/editing/revert-blocks.js";
import { entryById } from "../../store/entries.js";
import { includePath } from "../../store/includes.js";
import { mergeBasesOf } from "../../store/merge-bases.js";
import { same } from "../../store/merge-entry.js";
import { baseOf, type Entry, ofKind, versionOfRevision } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { confirmEntryRemoval, confirmRemoval } from "./confirm-removals.js";
import type { Confirmed, Reported } from "./keep-decisions.js";
import type { Change, Made } from "./schema.js";
import { type Names, withIds } from "./temporary-names.js";

/** What the changes of one request share: names they gave, and what was made so far. */
export interface Batch {
  space: string;
  changeRequest: Reported;
  draft: Draft;
  /** The names that the request gives; a document may use one before it is given. */
  names: Names;
  /** Pages and reusable contents that are there so far, by their names. */
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
    const place = { parent: into === undefined ? null : idNamed(batch, into), at };
    const lies = { git_path: null, parent: place.parent };
    const markdown = await written(ctx, batch, document, fields.title ?? "Untitled", lies);
    const page = await insertPage(ctx, draft, { ...fields, id: ref && names.get(ref)!.id }, place, markdown);
    if (ref) refs.set(ref, page.id);
    return { object: "created_page", ref, page: refTo(ctx, batch, "page", page.id) };
  },
  async update_page(ctx, batch, change) {
    const { operation: _, page: id, into, at, document, ...fields } = change;
    const { draft } = batch;
    const page = await draftPage(ctx, draft, idNamed(batch, id));
    const parent = into === undefined ? page.parent : into === null ? null : idNamed(batch, into);
    const place = into === undefined && at === undefined ? undefined : { parent, at };
    const lies = { git_path: page.git_path, parent };
    const markdown = document && (await written(ctx, batch, document, fields.title ?? page.title, lies));
    const updated = await updatePage(ctx, draft, page, { fields, markdown, place });
    if (same(updated, page)) confirm(batch, page.id, { into, at, document, ...fields });
    return { object: "updated_page", page: refTo(ctx, batch, "page", page.id) };
  },
  async delete_page(ctx, batch, change) {
    const page = idNamed(batch, change.page);
    await remove(ctx, batch, page);
    return { object: "deleted_page", page };
  },
  async revert_page(ctx, batch, { page, revision, block }) {
    const { draft } = batch;
    const id = idNamed(batch, page);
    const reverted = block
      ? await revertBlocks(ctx, draft, id, await former(ctx, batch, id, revision), block)
      : await revertPage(ctx, draft, id, await origin(ctx, batch, revision));
    return reverted
      ? { object: "updated_page", page: refTo(ctx, batch, "page", id) }
      : { object: "deleted_page", page: id };
  },
  // Files come in before the transaction that applies changes, see `receiveFiles`.
  async insert_files() {
    return undefined;
  },
  async delete_file(ctx, batch, { file }) {
    await removeOne(ctx, batch, { id: file, kind: "file" });
    return { object: "deleted_file", file };
  },
  async revert_file(ctx, batch, { file, revision }) {
    const reverted = await revertFile(ctx, batch.draft, file, await origin(ctx, batch, revision));
    return reverted
      ? { object: "updated_file", file: refTo(ctx, batch, "file", file) }
      : { object: "deleted_file", file };
  },
  async insert_reusable_content(ctx, batch, { title, ref, document }) {
    const { draft, names, refs } = batch;
    const sent = await writtenReusable(ctx, batch, document, { git_path: null, slug: null, title });
    const { id } = await insertReusableContent(ctx, draft, { id: ref && names.get(ref)!.id, title }, sent);
    if (ref) refs.set(ref, id);
    const reusableContent = refTo(ctx, batch, "reusable-content", id);
    return { object: "created_reusable_content", ref, reusableContent };
  },
  async update_reusable_content(ctx, batch, { reusableContent, title, document }) {
    const { draft } = batch;
    const entry = await draftReusableContent(ctx, draft, idNamed(batch, reusableContent));
    const { id } = entry;
    const place = { ...entry, title: title ?? entry.title };
    const sent = document && (await writtenReusable(ctx, batch, document, place));
    const updated = await updateReusableContent(ctx, draft, entry, { title, sent });
    if (same(updated, entry)) confirm(batch, id, { title, document });
    return {
      object: "updated_reusable_content",
      reusableContent: refTo(ctx, batch, "reusable-content", id),
    };
  },
  async delete_reusable_content(ctx, batch, change) {
    const reusableContent = idNamed(batch, change.reusableContent);
    await removeOne(ctx, batch, { id: reusableContent, kind: "reusable" });
    return { object: "deleted_reusable_content", reusableContent };
  },
};

/** Applies one change to the draft of a batch, and notes what it made. */
export async function applyChange(ctx: Ctx, batch: Batch, change: Change): Promise<void> {
  const apply = OPERATIONS[change.operation] as Apply<Operation>;
  const made = await apply(ctx, batch, change);
  if (made) batch.made.push(made);
}

/** The id of what is there, or of what the request made under this name. */
const idNamed = ({ refs }: Batch, id: string) => refs.get(id) ?? id;

/** Nobody names a page and nothing else by chance, while a script may send a text again and again. */
function confirm({ confirmed }: Batch, id: string, fields: object) {
  const isBare = Object.values(fields).every((value) => value === undefined);
  (isBare ? confirmed.now : confirmed.reported).add(id);
}

async function remove(ctx: Ctx, { draft, confirmed }: Batch, id: string) {
  if (await draftEntry(ctx, draft, id)) return deletePage(ctx, draft, await draftPage(ctx, draft, id));
  for (const gone of await confirmRemoval(ctx, draft, id)) confirmed.now.add(gone);
}

/** Removes what nothing lies below. */
async function removeOne(
  ctx: Ctx,
  { draft, confirmed }: Batch,
  { id, kind }: { id: string; kind: "file" | "reusable" },
) {
  const there = ofKind(await draftEntry(ctx, draft, id), kind);
  if (there) return deleteEntry(draft, there);
  await confirmEntryRemoval(ctx, draft, { id, kind });
  confirmed.now.add(id);
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

/** The markdown of what was sent for a page or reusable content. */
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

/** The text of what was sent for a reusable content that lies at a place. */
async function writtenReusable(
  ctx: Ctx,
  batch: Batch,
  sent: SentDocument,
  place: Pick<Entry, "git_path" | "slug" | "title">,
): Promise<SentText> {
  const lies = { git_path: includePath(place), parent: null };
  const markdown = await written(ctx, batch, sent, place.title, lies);
  return { markdown, isHeaded: sent.document !== undefined };
}

const SEGMENTS = { page: "page", file: "files", "reusable-content": "reusable-contents" };

/** What the response says of an entry: its id, and where the change request has it. */
const refTo = <Kind extends keyof typeof SEGMENTS>(
  { urls: { api } }: Ctx,
  { space, changeRequest }: Batch,
  object: Kind,
  id: string,
) => ({
  object,
  id,
  urls: {
    location: api`/spaces/${space}/change-requests/${changeRequest.id}/content/${SEGMENTS[object]}/${id}`,
  },
});
