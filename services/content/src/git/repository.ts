import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Egress } from "@octavo/shared/egress/client";
import { EgressError } from "@octavo/shared/egress/client";
import { GitError, NO_SUCH_REF, NOTHING_THERE } from "./failure.js";
import {
  findFile,
  listEntries,
  type RepositoryEntry,
  type RepositoryFile,
  readContent,
  readContents,
} from "./objects.js";
import { printed, run, startGit } from "./process.js";
import { type Compared, findSimilar } from "./similar.js";

/** One commit of a remote repository, fetched without its history. */
export interface Repository {
  commit: string;
  message: string;
  /** What lies below a folder, as git lists it; throws GitFailure when that is too much, or there is no such folder. */
  entries(folder: string): AsyncGenerator<RepositoryEntry>;
  /** One file of a folder by its path; throws GitFailure when there is no such folder. */
  file(folder: string, path: string): Promise<RepositoryFile | undefined>;
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

interface FetchOptions {
  url: string;
  ref: string;
  /** A folder for the clone; it is removed again by `close`. */
  folder: string;
  egress: Egress;
  signal: AbortSignal;
}

/** A repository that grows beyond this on disk is not fetched further. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Characters of a commit's message that are kept. */
const LONGEST_MESSAGE = 10_000;
/** No import takes so long: an older clone is nobody's. */
const LEFT_AFTER_MS = 3_600_000;

/**
 * Fetches one commit over http(s). The address is classified before git connects, and git is held to what was
 * classified: no redirects, no other protocol, no prompts, hooks, submodules or symbolic links. Credentials in the
 * address travel in a header and are in no argument, message or log.
 */
export async function fetchRepository({
  url,
  ref,
  folder,
  egress,
  signal,
}: FetchOptions): Promise<Repository> {
  const { address, url: target } = await egress.resolve(url).catch((error: unknown) => {
    if (error instanceof EgressError) throw new GitError(error.message);
    throw error;
  });
  await mkdir(folder, { recursive: true });
  const dir = await mkdtemp(join(folder, "clone-"));
  const close = () => rm(dir, { recursive: true, force: true });
  try {
    await run(dir, ["init", "--quiet", "--bare", "."], signal);
    const settings = { ...pinned(target, address), ...authorization(new URL(url)) };
    const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", target.href, `+${ref}:refs/octavo/fetched`];
    await whileSmall(dir, signal, (signal) => run(dir, fetch, signal, { settings })).catch(
      async (error: unknown) => {
        const missing = error instanceof GitError && error.message === NO_SUCH_REF;
        if (!missing || (await namesRefs(dir, target.href, signal, settings))) throw error;
        throw new GitError(NOTHING_THERE);
      },
    );
    const commit = (await run(dir, ["rev-parse", "refs/octavo/fetched^{commit}"], signal)).trim();
    const message = await messageOf(dir, commit, signal);
    return {
      commit,
      message,
      entries: async function* (folder) {
        yield* listEntries(dir, await treeAt(dir, { commit, folder }, signal), signal);
      },
      file: async (folder, path) =>
        findFile(dir, { tree: await treeAt(dir, { commit, folder }, signal), path }, signal),
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

/** The name of a folder's tree; throws GitFailure when it is none. */
async function treeAt(
  dir: string,
  { commit, folder }: { commit: string; folder: string },
  signal: AbortSignal,
): Promise<string> {
  const name = folder ? `${commit}:${folder}` : `${commit}^{tree}`;
  const type = await run(dir, ["cat-file", "-t", name], signal).catch((error: unknown) => {
    if (error instanceof GitError) return "";
    throw error;
  });
  if (type.trim() === "tree") return name;
  throw new GitError("The project directory is not in the repository");
}

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

/** Removes clones that a process left behind when it was killed. */
export async function removeLeftClones(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Holds git to the address that was classified. A literal address is looked up nowhere, and curl takes no IPv6 one here. */
function pinned({ hostname, port, protocol }: URL, address: string): Record<string, string> {
  if (isIP(hostname.replace(/^\[|\]$/g, ""))) return {};
  const to = address.includes(":") ? `[${address}]` : address;
  return { "http.curloptResolve": `${hostname}:${port || (protocol === "https:" ? "443" : "80")}:${to}` };
}

function authorization(url: URL): Record<string, string> {
  if (!url.username && !url.password) return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { "http.extraHeader": `Authorization: Basic ${Buffer.from(pair).toString("base64")}` };
}

/** Whether there is any branch or tag at an address; no more than the first of them is read. */
async function namesRefs(dir: string, url: string, signal: AbortSignal, settings: Record<string, string>) {
  const { child, kill } = startGit(dir, ["ls-remote", "--quiet", "--heads", "--tags", url], signal, settings);
  child.stdin.end();
  child.stderr.resume();
  for await (const _ of child.stdout) {
    kill();
    return true;
  }
  signal.throwIfAborted();
  return false;
}

/** Runs a fetch as long as the clone stays below its limit on disk. */
async function whileSmall<T>(
  dir: string,
  signal: AbortSignal,
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLarge = new AbortController();
  const watch = setInterval(async () => {
    if ((await sizeOf(join(dir, "objects"))) > MAX_BYTES) {
      tooLarge.abort(new GitError(`The repository is larger than ${MAX_BYTES / 1024 ** 3} GiB`));
    }
  }, 500);
  try {
    return await fetch(AbortSignal.any([signal, tooLarge.signal]));
  } finally {
    clearInterval(watch);
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
