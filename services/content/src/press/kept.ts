import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** PDFs in a folder of this machine, so many bytes of them: those that nobody fetched for longest go first. */
export interface Kept {
  /** The path of a PDF; undefined when there is none. */
  find(name: string): Promise<string | undefined>;
  /** A path at which a PDF of that name can be written before it is kept. */
  draft(name: string): Promise<string>;
  keep(name: string): Promise<string>;
  /** Removes a draft that did not become a PDF. */
  drop(name: string): Promise<void>;
}

/** What is older was made for addresses that have expired. */
const KEPT_MS = 24 * 3_600_000;

/** Creates the folder's account; what a crash left in it goes with its age. */
export function createKept(folder: string, mostBytes: number): Kept {
  const pathOf = (name: string) => join(folder, `${name}.pdf`);
  const draftOf = (name: string) => join(folder, `${name}.${process.pid}.draft`);
  let pruning: Promise<void> = Promise.resolve();

  async function prune(): Promise<void> {
    const found: { path: string; size: number; used: number }[] = [];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const entry = await stat(path).catch(() => undefined);
      if (entry?.isFile()) found.push({ path, size: entry.size, used: entry.mtimeMs });
    }
    found.sort((one, other) => other.used - one.used);
    let bytes = 0;
    for (const { path, size, used } of found) {
      bytes += size;
      if (bytes > mostBytes || used < Date.now() - KEPT_MS) await rm(path, { force: true });
    }
  }

  return {
    async find(name) {
      const now = new Date();
      // A file that is open stays readable when it is removed meanwhile.
      const isThere = await utimes(pathOf(name), now, now).then(
        () => true,
        () => false,
      );
      return isThere ? pathOf(name) : undefined;
    },
    async draft(name) {
      await mkdir(folder, { recursive: true });
      return draftOf(name);
    },
    async keep(name) {
      await rename(draftOf(name), pathOf(name));
      pruning = pruning.then(prune).catch(() => undefined);
      await pruning;
      return pathOf(name);
    },
    drop: (name) => rm(draftOf(name), { force: true }),
  };
}
