import { isUnsafe } from "../../files/unsafe.js";
import { type Entry, type FileEntry, ofKind } from "../../store/version.js";
import { GitError, named } from "../failure.js";
import type { Branch } from "./branch.js";
import { isOn } from "./files.js";

/** The names of files that can be run and would come to a branch. Those that it has already are its own affair. */
export async function unsafeFiles(
  entries: Entry[],
  { folder, branch }: { folder: string; branch: Branch },
): Promise<string[]> {
  const unsafe = entries.flatMap((entry) => {
    const file = ofKind(entry, "file");
    return file && isUnsafe(nameOf(file)) ? [file] : [];
  });
  const paths = unsafe.flatMap(({ git_path }) => git_path ?? []);
  const there = await branch.contentsAt(folder, paths);
  return unsafe.filter((file) => !isOn(there, file)).map(nameOf);
}

const nameOf = ({ git_path, title }: FileEntry) => git_path ?? title;

/** Fails when there are such files, and names the first of them. */
export function failOnUnsafe(names: string[]): void {
  if (names.length === 0) return;
  throw new GitError(
    `Files that can be run are not exported; delete them in a change request (delete_file), and merge it: ${named(names)}`,
    "unsafe_files",
  );
}
