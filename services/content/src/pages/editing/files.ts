import type { FileEntry } from "../../store/version.js";
import type { Draft } from "./draft.js";

/** Removes a file from a draft. */
export function deleteFile(draft: Draft, { id }: FileEntry): void {
  draft.put.delete(id);
  draft.removed.add(id);
}
