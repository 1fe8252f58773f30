import type { Draft } from "./draft.js";

/** Removes an entry, and nothing else, from a draft. */
export function deleteEntry(draft: Draft, { id }: { id: string }): void {
  draft.put.delete(id);
  draft.texts.delete(id);
  draft.removed.add(id);
}
