import { quoted } from "./objects.js";
import { run } from "./process.js";

/** A file by its path, with a text that git may not have, or by the name of a content that it has. */
export type Compared = { path: string } & ({ text: string } | { oid: string });

/** Pairs of files that git compares are the square of this: its own limit, halved. */
const RENAME_LIMIT = "500";

/**
 * Finds which files that came are files that went under another name, as git finds it: names that stay first, then by
 * similarity of at least a half. Each file is in one pair at most.
 */
export async function findSimilar(
  dir: string,
  { before, after }: { before: AsyncIterable<Compared>; after: AsyncIterable<Compared> },
  signal: AbortSignal,
): Promise<{ from: string; to: string }[]> {
  async function* history() {
    yield* commitOf("refs/octavo/before", before);
    yield* commitOf("refs/octavo/after", after);
    yield "done\n";
  }
  await run(dir, ["fast-import", "--quiet", "--done", "--force"], signal, { input: history() });
  const args = ["-r", "-z", "--raw", "-M50%", `-l${RENAME_LIMIT}`, "--diff-filter=R"];
  const printed = await run(dir, ["diff-tree", ...args, "refs/octavo/before", "refs/octavo/after"], signal);
  const words = printed.split("\0");
  const pairs: { from: string; to: string }[] = [];
  for (let at = 0; at + 2 < words.length; at += 3) pairs.push({ from: words[at + 1]!, to: words[at + 2]! });
  return pairs;
}

/** A commit of these files and no others, in the language of `git fast-import`. */
async function* commitOf(ref: string, files: AsyncIterable<Compared>): AsyncGenerator<string> {
  yield `commit ${ref}\ncommitter octavo <octavo@localhost> 0 +0000\ndata 0\n`;
  for await (const file of files) {
    const path = quoted(file.path);
    if ("oid" in file) yield `M 100644 ${file.oid} ${path}\n`;
    else yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(file.text)}\n${file.text}\n`;
  }
  yield "\n";
}
