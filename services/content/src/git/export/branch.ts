import { posix } from "node:path";
import { batchesOf } from "../../store/batches.js";
import { decode } from "../decode.js";
import { findFile, listEntries, type RepositoryFile, readContents } from "../objects.js";
import { treeAt } from "../repository.js";
import { type Surroundings, surroundingsAt } from "../surroundings.js";

/** What a branch holds before an export; nothing when there is no such branch yet. */
export interface Branch {
  /** The files around the pages. Throws SettingsError. */
  surroundings(): Promise<Surroundings>;
  /** Which of some paths below a folder there are files at. */
  filesAmong(folder: string, paths: string[]): Promise<Set<string>>;
  /** The ids of contents at some paths below a folder. */
  contentsAt(folder: string, paths: string[]): Promise<Map<string, string>>;
  /** The assets and includes below a folder, which are the space's alone. */
  ownFiles(folder: string): Promise<string[]>;
}

const OWN = [".gitbook/assets", ".gitbook/includes"];
/** Bytes; a file around the pages that is larger is none of ours. */
const LARGEST = 10 * 1024 * 1024;
const PORTION = 200;

/** The branch as a clone has it, at a commit and its project directory. */
export function branchAt(
  { dir, commit, directory }: { dir: string; commit: string | undefined; directory: string },
  signal: AbortSignal,
): Branch {
  const treeOf = async (folder: string) =>
    commit === undefined ? undefined : treeAt(dir, { commit, folder }, signal);
  const file = async (folder: string, path: string) => {
    const tree = await treeOf(folder);
    return tree === undefined ? undefined : findFile(dir, { tree, path }, signal);
  };
  const contentsAt = async (folder: string, paths: string[]) => {
    const found = new Map<string, string>();
    const tree = await treeOf(folder);
    if (tree === undefined) return found;
    for await (const batch of batchesOf(paths, PORTION))
      for await (const { path, oid } of listEntries(dir, tree, signal, batch)) found.set(path, oid);
    return found;
  };
  return {
    surroundings: () => surroundingsAt({ file, textOf: (file) => textOf(dir, file, signal) }, directory),
    filesAmong: async (folder, paths) => new Set((await contentsAt(folder, paths)).keys()),
    contentsAt,
    ownFiles: async (folder) => {
      const paths: string[] = [];
      for (const own of OWN) {
        const tree = await treeOf(posix.join(folder, own));
        if (tree === undefined) continue;
        for await (const { path } of listEntries(dir, tree, signal)) paths.push(posix.join(own, path));
      }
      return paths;
    },
  };
}

async function textOf(
  dir: string,
  { oid, size, path }: RepositoryFile,
  signal: AbortSignal,
): Promise<string> {
  if (size > LARGEST) return "";
  for await (const content of readContents(dir, [oid], signal)) return decode(content, path);
  return "";
}
