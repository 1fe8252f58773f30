import { uniqueSlug } from "@octavo/markdown/source/slug";
import { found, refuse } from "@octavo/shared/errors";
import { blobOid, bodyOf } from "../../store/bodies.js";
import { entriesAtGitPaths, entryById, pagesBelow } from "../../store/entries.js";
import { same } from "../../store/merge-entry.js";
import { type Entry, type FileEntry, ofKind, type PageEntry, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { deleteEntry } from "./delete-entry.js";
import { type Draft, draftEntries, draftEntry, draftSiblings, draftSubtree } from "./draft.js";
import { checkNesting } from "./nesting.js";
import { deletePage, fits } from "./pages.js";

/**
 * Puts a page back as a version has it: text, properties and place. Of a page that was deleted the pages below it come
 * back as well. What the base of the change request never had is removed; with `base` the change request lets go of
 * what it has of its own. Returns the page, or nothing when it was removed.
 */
export async function revertPage(
  ctx: Ctx,
  draft: Draft,
  id: string,
  { version, base }: { version: ReadPoint; base: boolean },
): Promise<PageEntry | undefined> {
  const here = ofKind(await draftEntry(ctx, draft, id), "page");
  const there = await entryById(ctx, version, id);
  if (there?.kind !== "page") {
    const page = found(base ? here : undefined, `Page ${id}`);
    await deletePage(ctx, draft, page);
    return undefined;
  }
  const page = await placed(ctx, draft, there, here);
  put(ctx, draft, page, base && same(page, there));
  if (!here) await putBelow(ctx, draft, id, { version, base });
  if (!here || page.parent !== here.parent)
    await checkNesting(ctx, draft, page.parent, await draftSubtree(ctx, draft, page));
  return page;
}

/**
 * Puts a file back as a version has it. Where another file has its path in git by now, it comes back without one, and the next
 * export gives it another. What the base of the change request never had is removed; with `base` the change request lets go
 * of what it has of its own. Returns the file, or nothing when it was removed.
 */
export async function revertFile(
  ctx: Ctx,
  draft: Draft,
  id: string,
  { version, base }: { version: ReadPoint; base: boolean },
): Promise<FileEntry | undefined> {
  const here = ofKind(await draftEntry(ctx, draft, id), "file");
  const there = ofKind(await entryById(ctx, version, id), "file");
  if (!there) {
    deleteEntry(draft, found(base ? here : undefined, `File ${id}`));
    return undefined;
  }
  const file = base ? there : await atFreePath(ctx, draft, there);
  put(ctx, draft, file, base);
  return file;
}

async function atFreePath(ctx: Ctx, draft: Draft, file: FileEntry): Promise<FileEntry> {
  if (file.git_path === null) return file;
  const stored = await entriesAtGitPaths(ctx, draft.version, [file.git_path]);
  const kept = stored.filter(({ id }) => !draft.removed.has(id) && !draft.put.has(id));
  const isTaken = [...kept, ...draft.put.values()].some(
    ({ id, git_path }) => id !== file.id && git_path === file.git_path,
  );
  return isTaken ? { ...file, git_path: null, git_oid: null } : file;
}

/** The page as it was, where it can stand now. */
async function placed(
  ctx: Ctx,
  draft: Draft,
  there: PageEntry,
  here: PageEntry | undefined,
): Promise<PageEntry> {
  const { parent, position } = await placeFor(ctx, draft, there, here);
  const beside = (await draftSiblings(ctx, draft, parent)).filter(({ id }) => id !== there.id);
  const slugs = new Set(beside.map(({ slug }) => slug ?? ""));
  const slug = there.slug === null ? null : uniqueSlug(there.slug, slugs);
  return { ...there, ...(await blobFor(ctx, draft, there, here)), parent, position, slug };
}

/** The pages that were deleted with a page: none has moved in under it meanwhile. */
async function putBelow(
  ctx: Ctx,
  draft: Draft,
  page: string,
  { version, base }: { version: ReadPoint; base: boolean },
) {
  const below = await pagesBelow(ctx, version, page);
  const known = await draftEntries(
    ctx,
    draft,
    below.map(({ id }) => id),
  );
  const back = new Set([page]);
  for (let grown = true; grown; ) {
    const children = below.filter(({ id, parent }) => !back.has(id) && !known.has(id) && back.has(parent!));
    for (const child of children) put(ctx, draft, child, base);
    for (const { id } of children) back.add(id);
    grown = children.length > 0;
  }
}

/** `released`: it is just what the change request has without anything of its own. */
function put(ctx: Ctx, draft: Draft, former: Entry, released: boolean) {
  const entry = released ? former : { ...former, updated_at: ctx.clock().toISOString() };
  draft.removed.delete(entry.id);
  draft.texts.delete(entry.id);
  draft.put.set(entry.id, entry);
  if (released) draft.released.set(entry.id, entry);
}

/** Where it stood; where that is no more, it stays where it is. */
async function placeFor(ctx: Ctx, draft: Draft, there: PageEntry, here: PageEntry | undefined) {
  if (await fits(ctx, draft, here ?? there, there.parent)) return there;
  if (here) return here;
  return refuse("BAD_REQUEST", `Page: ${there.parent} above ${there.id} is not there, put it back first`);
}

/** The file in git is the one that the page has now. */
async function blobFor(ctx: Ctx, draft: Draft, there: PageEntry, here: PageEntry | undefined) {
  const git_path = here ? here.git_path : there.git_path;
  if (git_path === null || there.git_oid !== null || there.body === null)
    return { git_path, git_oid: git_path === null ? null : there.git_oid };
  const text = await bodyOf(ctx, draft.version.space, there.body);
  return { git_path, git_oid: blobOid(text) };
}
