import { Readable } from "node:stream";
import { type CloneOptions, fetchClone } from "./clone.js";
import { type ChangedFile, listChanges, sizesOf } from "./compare-trees.js";
import { GitError, IS_EMPTY, NO_SUCH_REF } from "./failure.js";
import {
  findFile,
  listEntries,
  type RepositoryEntry,
  type RepositoryFile,
  readContent,
  readContents,
} from "./objects.js";
import { printed, run } from "./process.js";
import { type Compared, findSimilar } from "./similar.js";
import { joinPath } from "./surroundings.js";

/** One commit of a remote repository, fetched without its history. */
export interface Repository {
  /** Undefined when the repository is empty. */
  commit: string | undefined;
  message: string;
  /** What lies below a folder, as git lists it; throws GitError when that is too much, or there is no such folder. */
  entries(folder: string): AsyncGenerator<RepositoryEntry>;
  /** One file of a folder by its path; throws GitError when there is no such folder. */
  file(folder: string, path: string): Promise<RepositoryFile | undefined>;
  /** What differs below a folder since an earlier commit; throws GitError when the clone does not hold that one any more. */
  changesSince(commit: string, folder: string): AsyncGenerator<ChangedFile>;
  /** The bytes of contents in the order of the ids. */
  sizes(oids: string[]): Promise<(number | undefined)[]>;
  /** Which of some paths of a folder no file is at. */
  missing(folder: string, paths: string[]): Promise<string[]>;
  /** Contents in the order of the ids; at most a few are in memory at once. */
  contents(oids: string[]): AsyncGenerator<Buffer>;
  /** One content as a stream, for files too large to hold; fails when not all of it comes. */
  stream(file: RepositoryFile): Readable;
  /** Which files that came are files that went under another name, by the similarity of their texts. */
  similar(
    before: AsyncIterable<Compared>,
    after: AsyncIterable<Compared>,
  ): Promise<{ from: string; to: string }[]>;
  close(): Promise<void>;
}

/** Characters of a commit's message that are kept. */
const LONGEST_MESSAGE = 10_000;

/**
 * Fetches the commit that a ref of a remote leads to. Throws GitError when there is none, unless the repository may be
 * empty, and has no ref at all.
 */
export async function fetchRepository(options: CloneOptions & { mayBeEmpty?: boolean }): Promise<Repository> {
  const { dir, commit, hasRefs, close } = await fetchClone(options);
  const { signal } = options;
  try {
    if (commit === undefined) {
      if (await hasRefs()) throw new GitError(NO_SUCH_REF);
      if (!options.mayBeEmpty) throw new GitError(IS_EMPTY);
      return emptyRepository(close);
    }
    const message = await messageOf(dir, commit, signal);
    return {
      commit,
      message,
      entries: async function* (folder) {
        yield* listEntries(dir, await folderAt(dir, { commit, folder }, signal), signal);
      },
      file: async (folder, path) =>
        findFile(dir, { tree: await folderAt(dir, { commit, folder }, signal), path }, signal),
      changesSince: (before, folder) =>
        listChanges(dir, { before: treeName(before, folder), after: treeName(commit, folder) }, signal),
      sizes: (oids) => sizesOf(dir, oids, signal),
      missing: async (folder, paths) => {
        const names = paths.map((path) => `${commit}:${joinPath(folder, path)}`);
        const sizes = await sizesOf(dir, names, signal);
        return paths.filter((_, at) => sizes[at] === undefined);
      },
      contents: (oids) => readContents(dir, oids, signal),
      stream: (file) => Readable.from(readContent(dir, file, signal), { objectMode: false }),
      similar: (before, after) => findSimilar(dir, { before, after }, signal),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* none() {}

/** A repository without any commit: nothing lies anywhere in it. */
const emptyRepository = (close: Repository["close"]): Repository => ({
  commit: undefined,
  message: "",
  entries: none,
  file: async () => undefined,
  changesSince: none,
  sizes: async (oids) => oids.map(() => undefined),
  missing: async (_folder, paths) => paths,
  contents: none,
  stream: () => Readable.from([], { objectMode: false }),
  similar: async () => [],
  close,
});

async function folderAt(...at: Parameters<typeof treeAt>): Promise<string> {
  const tree = await treeAt(...at);
  if (tree === undefined) throw new GitError("The project directory is not in the repository");
  return tree;
}

/** The name of a folder's tree; undefined when there is no such folder. */
export async function treeAt(
  dir: string,
  { commit, folder }: { commit: string; folder: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = treeName(commit, folder);
  const type = await run(dir, ["cat-file", "-t", name], signal).catch((error: unknown) => {
    if (error instanceof GitError) return "";
    throw error;
  });
  return type.trim() === "tree" ? name : undefined;
}

const treeName = (commit: string, folder: string) => (folder ? `${commit}:${folder}` : `${commit}^{tree}`);

/** The message of a commit, or the beginning of a long one. */
async function messageOf(dir: string, commit: string, signal: AbortSignal): Promise<string> {
  let message = "";
  for await (const text of printed(dir, ["log", "-1", "--format=%B", commit], signal)) {
    message += text;
    if (message.length > LONGEST_MESSAGE) break;
  }
  // Cut between characters, and without what PostgreSQL does not keep.
  return message
    .slice(0, LONGEST_MESSAGE)
    .replace(/[\ud800-\udbff]$/, "")
    .replaceAll("\0", "")
    .trim();
}
