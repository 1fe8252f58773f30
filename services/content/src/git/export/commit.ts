import { createHash } from "node:crypto";
import { quoted } from "../objects.js";
import { run } from "../process.js";

/** A file as a commit is to have it. `id` is that of the entry which it is made from. */
export type FileChange =
  | { path: string; removed: true }
  | { path: string; text: string; id?: string }
  | { path: string; content: AsyncIterable<Buffer>; size: number; id: string };

interface NewCommit {
  dir: string;
  /** The commit that it follows; none for the first one of a branch. */
  parent: string | undefined;
  message: string;
  time: Date;
  files: AsyncIterable<FileChange>;
  signal: AbortSignal;
}

const EXPORTED = "refs/octavo/exported";
const AUTHOR = "Octavo <octavo@localhost>";

/** A commit, and the ids that git gave the contents of entries. */
export interface Made {
  /** The parent itself, when nothing in it is another. */
  commit: string;
  oids: Map<string, string>;
}

/**
 * Makes a commit that changes some files of the one before, reading no other: it costs what changes. Without a
 * difference it makes none.
 */
export async function makeCommit({ dir, parent, message, time, files, signal }: NewCommit): Promise<Made> {
  const oids = new Map<string, string>();
  const input = commands({ parent, message, time, files, oids });
  await run(dir, ["fast-import", "--quiet", "--done", "--force"], signal, { input });
  const commit = (await run(dir, ["rev-parse", EXPORTED], signal)).trim();
  if (parent === undefined) return { commit, oids };
  const trees = await run(dir, ["rev-parse", `${commit}^{tree}`, `${parent}^{tree}`], signal);
  const [one, other] = trees.trim().split("\n");
  return { commit: one === other ? parent : commit, oids };
}

async function* commands({
  parent,
  message,
  time,
  files,
  oids,
}: Omit<NewCommit, "dir" | "signal"> & { oids: Map<string, string> }): AsyncGenerator<string | Uint8Array> {
  const at = `${Math.floor(time.getTime() / 1000)} +0000`;
  // A ref of an earlier commit would be taken for the parent.
  yield `reset ${EXPORTED}\n\ncommit ${EXPORTED}\nauthor ${AUTHOR} ${at}\ncommitter ${AUTHOR} ${at}\n`;
  yield `data ${Buffer.byteLength(message)}\n${message}\n`;
  if (parent !== undefined) yield `from ${parent}\n`;
  for await (const file of files) {
    if ("removed" in file) {
      yield `D ${quoted(file.path)}\n`;
      continue;
    }
    const size = "text" in file ? Buffer.byteLength(file.text) : file.size;
    const hash = createHash("sha1").update(`blob ${size}\0`);
    yield `M 100644 inline ${quoted(file.path)}\ndata ${size}\n`;
    if ("text" in file) {
      hash.update(file.text);
      yield file.text;
    } else
      for await (const chunk of file.content) {
        hash.update(chunk);
        yield chunk;
      }
    yield "\n";
    if (file.id !== undefined) oids.set(file.id, hash.digest("hex"));
  }
  yield "\ndone\n";
}
