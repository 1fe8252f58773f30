import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { GitError, NO_SUCH_REF } from "./failure.js";
import { run } from "./process.js";
import { type Address, hasRefs, remoteAt } from "./remote.js";

/** A bare repository on this machine that holds one commit of a remote, without its history unless that was asked for. */
export interface Clone {
  dir: string;
  /** The commit that the ref leads to; undefined when the remote has no such ref. */
  commit: string | undefined;
  /**
   * Moves the ref of the remote to a commit, if it still leads where it did. Throws GitError, with the reason
   * `conflict` when it does not.
   */
  push(commit: string): Promise<void>;
  /** Whether the remote has any ref. Throws GitError when there is no repository at the address. */
  hasRefs(): Promise<boolean>;
  /** Keeps the clone for the next operation, where that has a use, or removes it. */
  close(): Promise<void>;
}

export interface CloneOptions extends Address {
  ref: string;
  /** Names the clone that an earlier operation kept, so that only what is new is fetched. Nobody else's has this name. */
  cache?: string;
  /** Commits of the history that are fetched; the last one alone by default. */
  depth?: number;
  /** A folder for clones. */
  folder: string;
  signal: AbortSignal;
}

/** A repository that grows beyond this on disk is not fetched further. */
const MAX_BYTES = 2 * 1024 ** 3;
/** No operation takes so long: an older clone is nobody's. */
const LEFT_AFTER_MS = 3_600_000;
/** Kept clones: how long one is kept that nobody uses, and bytes of all of them. */
const KEPT_MS = 7 * 24 * 3_600_000;
const KEPT_BYTES = 5 * 1024 ** 3;
/** Each fetch leaves a pack; a clone of more is made anew. */
const MOST_PACKS = 50;
const FETCHED = "refs/octavo/fetched";

/**
 * Fetches the commit of a ref over http(s). The address is classified before git connects, and git is held to what was
 * classified: no redirects, no other protocol, no prompts, hooks, submodules or symbolic links. Credentials in the
 * address travel in a header and are in no argument, message or log.
 */
export async function fetchClone(options: CloneOptions): Promise<Clone> {
  const { ref, folder, signal, depth = 1 } = options;
  const { target, settings } = await remoteAt(options);
  await mkdir(folder, { recursive: true });
  const dir = await mkdtemp(join(folder, "clone-"));
  const kept = options.cache === undefined ? undefined : join(folder, "kept", nameOf(options.cache, target));
  let isWhole = false;
  let wasKept = false;
  const close = async () => {
    if (kept && isWhole) await keep(dir, kept);
    else await rm(dir, { recursive: true, force: true });
  };
  try {
    wasKept = kept !== undefined && (await take(kept, dir));
    if (!wasKept) await run(dir, ["init", "--quiet", "--bare", "."], signal);
    const remote = { dir, url: target.href, ref, signal, settings };
    const commit = await fetchRef({ ...remote, depth });
    isWhole = true;
    return {
      dir,
      commit,
      push: (to) => push({ ...remote, from: commit, to }),
      hasRefs: () => hasRefs(remote),
      close,
    };
  } catch (error) {
    // That a remote is away says nothing about what came from it before.
    isWhole = wasKept && error instanceof GitError && error.reason === "unreachable";
    await close();
    throw error;
  }
}

interface Remote {
  dir: string;
  url: string;
  ref: string;
  signal: AbortSignal;
  settings: Record<string, string>;
}

/** The commit that the ref leads to, now on this machine; undefined when a repository has no such ref. */
async function fetchRef({
  dir,
  url,
  ref,
  signal,
  settings,
  depth,
}: Remote & { depth: number }): Promise<string | undefined> {
  const fetch = ["fetch", "--quiet", `--depth=${depth}`, "--no-tags", url, `+${ref}:${FETCHED}`];
  try {
    await whileSmall(dir, signal, (signal) => run(dir, fetch, signal, { settings }));
  } catch (error) {
    if (error instanceof GitError && error.message === NO_SUCH_REF) return undefined;
    throw error;
  }
  return (await run(dir, ["rev-parse", `${FETCHED}^{commit}`], signal)).trim();
}

async function push({ dir, url, ref, signal, settings, from, to }: Remote & { from?: string; to: string }) {
  const lease = `--force-with-lease=${ref}:${from ?? ""}`;
  await run(dir, ["push", "--quiet", lease, url, `${to}:${ref}`], signal, { settings });
}

/** The name of a kept clone says nothing of its address. */
const nameOf = (cache: string, { href }: URL) =>
  createHash("sha256")
    .update(JSON.stringify([cache, href]))
    .digest("base64url");

/** Makes a kept clone one's own: nobody else can take it meanwhile. Returns whether there was one. */
async function take(kept: string, dir: string): Promise<boolean> {
  return rename(kept, dir).then(
    () =>
      access(join(dir, "HEAD")).then(
        () => true,
        () => false,
      ),
    () => false,
  );
}

async function keep(dir: string, kept: string): Promise<void> {
  const packs = await readdir(join(dir, "objects", "pack")).catch(() => []);
  if (packs.length > 2 * MOST_PACKS) return rm(dir, { recursive: true, force: true });
  const now = new Date();
  await utimes(dir, now, now);
  const folder = join(kept, "..");
  await mkdir(folder, { recursive: true });
  await removeKept(kept);
  // Another operation that has just kept its own leaves this one without a place.
  await rename(dir, kept).catch(() => rm(dir, { recursive: true, force: true }));
  await trim(folder);
}

/** Removes a kept clone. It is moved away first: what is half removed could be taken by another operation. */
async function removeKept(kept: string): Promise<void> {
  const away = await mkdtemp(join(kept, "..", "..", "clone-"));
  await rename(kept, away).catch(() => undefined);
  await rm(away, { recursive: true, force: true });
}

/** Removes kept clones that nobody used for long, then the oldest until all fit. */
async function trim(folder: string): Promise<void> {
  const clones = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found) clones.push({ path, at: found.mtimeMs, bytes: await sizeOf(path) });
  }
  clones.sort((one, other) => other.at - one.at);
  let bytes = 0;
  for (const clone of clones) {
    bytes += clone.bytes;
    if (bytes > KEPT_BYTES || Date.now() - clone.at > KEPT_MS) await removeKept(clone.path);
  }
}

/** Removes clones that a process left behind when it was killed. */
export async function removeLeftClones(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => name.startsWith("clone-"))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
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
