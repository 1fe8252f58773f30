import { GitFailure } from "./failure.js";
import { printed, start } from "./process.js";

/** A file of a commit. */
export interface RepositoryFile {
  /** Relative to the folder that was listed. */
  path: string;
  oid: string;
  /** Bytes. */
  size: number;
}

const REGULAR = new Set(["100644", "100755"]);

/** The regular files below a tree, as git lists them; links and submodules are left out. */
export async function* listFiles(
  dir: string,
  tree: string,
  signal: AbortSignal,
): AsyncGenerator<RepositoryFile> {
  let rest = "";
  try {
    for await (const text of printed(dir, ["ls-tree", "-r", "-z", "--long", tree], signal)) {
      const lines = (rest + text).split("\0");
      rest = lines.pop()!;
      for (const line of lines) yield* fileIn(line);
    }
  } catch (error) {
    if (error instanceof GitFailure) throw new GitFailure("The project directory is not in the repository");
    throw error;
  }
}

function* fileIn(line: string): Generator<RepositoryFile> {
  const [about, path] = [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)];
  const [mode = "", type, oid, size] = about.split(/\s+/);
  if (type === "blob" && REGULAR.has(mode)) yield { path, oid: oid!, size: Number(size) };
}

/** Contents in the order of the ids, as git hands them over. */
export async function* readContents(
  dir: string,
  oids: string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (oids.length === 0) return;
  const child = start(dir, ["cat-file", "--batch"], signal);
  child.on("error", () => undefined);
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(`${oids.join("\n")}\n`);
  let held: Buffer[] = [];
  let size = 0;
  let wanted: number | undefined;
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
          throw new GitFailure("The repository lacks a file that its commit names");
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
}

const joined = (buffers: Buffer[]) => (buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers));
