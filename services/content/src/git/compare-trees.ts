import { KINDS, linesOf, type RepositoryEntry } from "./objects.js";
import { printed, run } from "./process.js";

/** What differs at a path between two trees. */
export interface ChangedFile {
  path: string;
  /** Whether something of one kind is there before and after. */
  kind: RepositoryEntry["kind"] | undefined;
  oidBefore: string;
  oid: string;
}

/** What differs between two trees, as git finds it by comparing them. Throws GitError when it does not have one of them. */
export async function* listChanges(
  dir: string,
  { before, after }: { before: string; after: string },
  signal: AbortSignal,
): AsyncGenerator<ChangedFile> {
  let about: string[] | undefined;
  const compare = ["diff-tree", "-r", "-z", "--raw", "--no-renames", before, after, "--"];
  for await (const line of linesOf(printed(dir, compare, signal))) {
    if (!about) {
      about = line.slice(1).split(" ");
      continue;
    }
    const [modeBefore = "", mode = "", oidBefore = "", oid = ""] = about;
    const kind = KINDS[modeBefore] === KINDS[mode] ? KINDS[mode] : undefined;
    yield { path: line, kind, oidBefore, oid };
    about = undefined;
  }
}

/** The bytes of contents by names that git knows them by, in their order; undefined for what is no content. */
export async function sizesOf(
  dir: string,
  names: string[],
  signal: AbortSignal,
): Promise<(number | undefined)[]> {
  const input = names.map((name) => `${name}\n`);
  const found = await run(dir, ["cat-file", "--batch-check=%(objecttype) %(objectsize)"], signal, { input });
  return found
    .split("\n")
    .slice(0, names.length)
    .map((line) => (/^blob \d+$/.test(line) ? Number(line.slice("blob ".length)) : undefined));
}
