import { slugify } from "@octavo/markdown/source/slug";
import { withoutHidden } from "@octavo/markdown/text/hidden-text";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import type { SentText } from "../../documents/texts.js";
import { blobOid, hashOf } from "../../store/bodies.js";
import { entriesOfKind } from "../../store/entries.js";
import { freeIncludeSlug } from "../../store/includes.js";
import { ofKind, type ReusableContentEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { type Draft, draftEntry } from "./draft.js";
import { textOf } from "./pages.js";

/** Adds a reusable content to a draft, at an address that no other has: it stays when the title changes. */
export async function insertReusableContent(
  ctx: Ctx,
  draft: Draft,
  { id = newId(), title }: { id?: string; title: string },
  sent: SentText,
): Promise<ReusableContentEntry> {
  const entry: ReusableContentEntry = {
    id,
    kind: "reusable",
    parent: null,
    position: "",
    slug: freeIncludeSlug(slugify(withoutHidden(title)), await reusableContentsIn(ctx, draft)),
    title,
    body: null,
    git_path: null,
    git_oid: null,
    props: {},
    created_at: ctx.clock().toISOString(),
    updated_at: null,
  };
  const written = await rewrite(ctx, draft, entry, { title, sent });
  draft.known.set(id, undefined);
  draft.put.set(id, written);
  return written;
}

/** Changes the title or the text of a reusable content in a draft. */
export async function updateReusableContent(
  ctx: Ctx,
  draft: Draft,
  entry: ReusableContentEntry,
  edit: Edit,
): Promise<ReusableContentEntry> {
  const isBare = edit.title === undefined && edit.sent === undefined;
  const written = isBare ? entry : await rewrite(ctx, draft, entry, edit);
  const updated = { ...written, updated_at: ctx.clock().toISOString() };
  draft.put.set(entry.id, updated);
  return updated;
}

/** What a change says about a reusable content; absent leaves it as it is. */
interface Edit {
  title?: string;
  sent?: SentText;
}

async function rewrite(ctx: Ctx, draft: Draft, entry: ReusableContentEntry, { title, sent }: Edit) {
  const stored = await textOf(ctx, draft, entry);
  const made = await ctx.work.run("reusableText", { stored, sent, title, formerTitle: entry.title });
  const { text } = made;
  draft.texts.set(entry.id, text);
  const git_oid = entry.git_path === null ? null : blobOid(text);
  return { ...entry, title: made.title, body: hashOf(text), git_oid };
}

/** A reusable content of the draft; 404 when there is none. */
export async function draftReusableContent(
  ctx: Ctx,
  draft: Draft,
  id: string,
): Promise<ReusableContentEntry> {
  return found(ofKind(await draftEntry(ctx, draft, id), "reusable"), `Reusable content ${id}`);
}

async function reusableContentsIn(ctx: Ctx, { version, put, removed }: Draft) {
  const stored = await entriesOfKind(ctx, version, "reusable");
  const kept = stored.filter(({ id }) => !removed.has(id) && !put.has(id));
  return [...kept, ...[...put.values()].filter(({ kind }) => kind === "reusable")];
}
