import { type Draft, draftEntries, draftEntry } from "../../pages/editing/draft.js";
import { entriesById, MAX_NESTING, withAncestors } from "../../store/entries.js";
import { type Entry, primaryAt } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/**
 * Who names a page and nothing else wants it to stay where it is, and that takes the pages above it: those that the
 * primary content deleted stay, and those that it moved below the page stay where the change request shows them. They
 * are put into the draft as they are. Returns the ids of all that stand elsewhere, or nowhere, in the primary content.
 */
export async function keepPlaces(ctx: Ctx, draft: Draft, named: Set<string>): Promise<Set<string>> {
  const kept = new Set<string>();
  const { space, base } = draft.version;
  const primary = primaryAt(space);
  for (const id of [...named]) {
    const line = draft.removed.has(id) ? [] : await lineIn(ctx, draft, id);
    if (line.length === 0) continue;
    const ids = line.map((entry) => entry.id);
    const [there, before] = await Promise.all([
      withAncestors(ctx, primary, ids),
      entriesById(ctx, primaryAt(space, base!.seq), ids),
    ]);
    for (const entry of line) {
      const moved = there.get(entry.id);
      const isGone = !moved && before.has(entry.id);
      const isMoved = moved && moved.parent !== entry.parent;
      if (!isGone && !(isMoved && entry.id !== id && isBelow(there, moved, id))) {
        // Where the primary content alone moved it, it comes to stand there, and what is above it here does not matter.
        if (isMoved && before.get(entry.id)?.parent === entry.parent) break;
        continue;
      }
      kept.add(entry.id);
      named.add(entry.id);
      draft.put.set(entry.id, entry);
    }
  }
  return kept;
}

/** A page and those above it, as the draft has them. */
async function lineIn(ctx: Ctx, draft: Draft, page: string): Promise<Entry[]> {
  const line: Entry[] = [];
  for (let at: string | null = page; at !== null && line.length <= MAX_NESTING; ) {
    const entry: Entry | undefined = await draftEntry(ctx, draft, at);
    if (entry?.kind !== "page") break;
    line.push(entry);
    at = entry.parent;
  }
  return line;
}

function isBelow(entries: Map<string, Entry>, { parent }: Entry, page: string): boolean {
  for (let at = parent; at !== null; at = entries.get(at)?.parent ?? null) if (at === page) return true;
  return false;
}

/** Which of the primary content's pages stand under one that the change request deleted. */
export async function misplacedIn(
  ctx: Ctx,
  draft: Draft,
  primaries: Iterable<Entry | undefined>,
): Promise<Set<string>> {
  const { space, base } = draft.version;
  const placed = [...primaries].filter((entry) => entry?.kind === "page" && entry.parent !== null);
  const parents = [...new Set(placed.map((entry) => entry!.parent!))];
  const [shown, before] = await Promise.all([
    draftEntries(ctx, draft, parents),
    entriesById(ctx, primaryAt(space, base!.seq), parents),
  ]);
  return new Set(
    placed
      .filter((entry) => before.has(entry!.parent!) && !shown.has(entry!.parent!))
      .map((entry) => entry!.id),
  );
}
