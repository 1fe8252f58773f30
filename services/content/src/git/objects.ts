import { GitError } from "./failure.js";
import { printed, startGit } from "./process.js";

/** A file of a commit. */
export interface RepositoryFile {
  /** Relative to the folder that was listed. */
  path: string;
  oid: string;
  /** Bytes. */
  size: number;
}

/** What a commit holds below a folder: `file` are regular ones, the content of which can be read. */
export type RepositoryEntry = RepositoryFile & { kind: "file" | "symlink" | "submodule" };

/** Files and folders below the project directory. Trees that share objects name more of them than anybody can walk. */
export const MOST_ENTRIES = 200_000;
/** Bytes; what is indexed by PostgreSQL fits into a third of a page. */
const LONGEST_PATH = 1000;

/** What a mode of git is of; undefined for a folder. */
export const KINDS: Record<string, RepositoryEntry["kind"] | undefined> = {
  "100644": "file",
  "100664": "file",
  "100755": "file",
  "120000": "symlink",
  "160000": "submodule",
};

/**
 * What lies below a tree, or at some of its paths, in the order of git, as git lists it. Throws GitError beyond
 * 200,000 files and folders, which bounds the walk, and at a path of more than 1,000 bytes, which bounds its depth.
 */
export async function* listEntries(
  dir: string,
  tree: string,
  signal: AbortSignal,
  paths: string[] = [],
): AsyncGenerator<RepositoryEntry> {
  const list = ["ls-tree", "-r", "-t", "-z", "--long", tree, "--", ...paths];
  let count = 0;
  // With the folders, as there may be any number of empty ones.
  for await (const line of linesOf(printed(dir, list, signal))) {
    count += 1;
    if (count > MOST_ENTRIES)
      throw new GitError("The project directory holds more than 200,000 files and folders");
    const entry = entryIn(line);
    if (entry) yield entry;
  }
}

/** The file at a path of a tree; undefined when there is none, or something else. */
export async function findFile(
  dir: string,
  { tree, path }: { tree: string; path: string },
  signal: AbortSignal,
): Promise<RepositoryFile | undefined> {
  for await (const line of linesOf(printed(dir, ["ls-tree", "-z", "--long", tree, path], signal))) {
    const entry = entryIn(line);
    if (entry?.kind === "file" && entry.path === path) return entry;
  }
  return undefined;
}

/** What git prints between zeros. Throws GitError at a path that is too long. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\0");
    rest = lines.pop()!;
    yield* lines;
    if (rest.length > 2 * LONGEST_PATH) refusePath(rest.slice(rest.indexOf("\t") + 1));
  }
}

function entryIn(line: string): RepositoryEntry | undefined {
  const [about, path] = [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)];
  if (Math.max(Buffer.byteLength(path), Buffer.byteLength(path.normalize("NFC"))) > LONGEST_PATH)
    refusePath(path);
  const [mode = "", , oid = "", size] = about.split(/\s+/);
  const kind = KINDS[mode];
  return kind && { path, oid, size: Number(size) || 0, kind };
}

function refusePath(path: string): never {
  throw new GitError(`A path of more than ${LONGEST_PATH} bytes: ${path.slice(0, 100)}…`);
}

/** Contents in the order of the ids, as git hands them over. */
export async function* readContents(
  dir: string,
  oids: string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (oids.length === 0) return;
  const { child, kill } = startGit(dir, ["cat-file", "--batch"], signal);
  child.stderr.resume();
  child.stdin.end(`${oids.join("\n")}\n`);
  let held: Buffer[] = [];
  let size = 0;
  let wanted: number | undefined;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      held.push(chunk);
      size += chunk.length;
      for (;;) {
        if (wanted === undefined) {
          const bytes = joined(held);
          held = [bytes];
          const end = bytes.indexOf(10);
          if (end < 0) break;
          const header = bytes.subarray(0, end).toString();
          wanted = Number(header.split(" ")[2]);
          if (!Number.isInteger(wanted))
            throw new GitError("The repository lacks a file that its commit names");
          held = [bytes.subarray(end + 1)];
          size = held[0]!.length;
        }
        if (size < wanted + 1) break;
        const bytes = joined(held);
        yield bytes.subarray(0, wanted);
        held = [bytes.subarray(wanted + 1)];
        size = held[0]!.length;
        wanted = undefined;
      }
    }
  } finally {
    kill();
  }
}

/** One content, as git hands it over. Throws GitError when git ends before all of it has come. */
export async function* readContent(
  dir: string,
  { oid, size }: RepositoryFile,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { child, kill } = startGit(dir, ["cat-file", "blob", oid], signal);
  child.stderr.resume();
  child.stdin.end();
  let read = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      read += chunk.length;
      yield chunk;
    }
  } finally {
    kill();
  }
  signal.throwIfAborted();
  if (read !== size) throw new GitError("The repository could not be read by git");
}

const joined = (buffers: Buffer[]) => (buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers));

/** A path in the language of `git fast-import`. */
export const quoted = (path: string): string => `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
