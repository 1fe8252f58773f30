import { found } from "@octavo/shared/errors";
import { type Draft, draftEntries } from "../../pages/editing/draft.js";
import { entriesById, entryById, pagesBelow } from "../../store/entries.js";
import { same } from "../../store/merge-entry.js";
import { ofKind, primaryAt } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/**
 * Confirms that a page shall be gone which the change request does not show, though the primary content has changed it
 * or what is below it, and with it the pages below it. Those that the change request shows elsewhere stay there. Returns
 * the ids of all; 404 when there is no such page.
 */
export async function confirmRemoval(ctx: Ctx, draft: Draft, page: string): Promise<string[]> {
  const { space, base } = draft.version;
  const primary = primaryAt(space);
  const entry = (await entriesById(ctx, primary, [page])).get(page);
  found(entry?.kind === "page" ? entry : undefined, `Page ${page}`);
  const there = [entry!, ...(await pagesBelow(ctx, primary, page))];
  const ids = there.map(({ id }) => id);
  const shown = await draftEntries(ctx, draft, ids);
  const bases = await entriesById(ctx, primaryAt(space, base!.seq), ids);
  const gone = there.filter(({ id }) => !shown.has(id));
  const left = new Set(gone.map(({ id }) => id));
  const staying = there.filter(({ id, parent }) => shown.has(id) && left.has(parent ?? ""));
  const isNew = staying.length > 0 || gone.some((one) => !same(one, bases.get(one.id)));
  found(isNew && !shown.has(page) ? page : undefined, `Page ${page}`);
  for (const { id } of gone) draft.removed.add(id);
  for (const { id } of staying) draft.put.set(id, shown.get(id)!);
  return [...gone, ...staying].map(({ id }) => id);
}

const LABELS = { file: "File", reusable: "Reusable content" };

/**
 * Confirms that a file or reusable content shall be gone which the change request does not show, though the primary content
 * has changed it. 404 when there is none.
 */
export async function confirmEntryRemoval(
  ctx: Ctx,
  draft: Draft,
  { id, kind }: { id: string; kind: keyof typeof LABELS },
): Promise<void> {
  const { space, base } = draft.version;
  const primary = ofKind(await entryById(ctx, primaryAt(space), id), kind);
  const before = await entryById(ctx, primaryAt(space, base!.seq), id);
  found(same(primary, before) ? undefined : primary, `${LABELS[kind]} ${id}`);
  draft.removed.add(id);
}
