import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { staging } from "./staging.js";
import { type FileStorage, keyOf, type StagedFile } from "./storage.js";

/** Files in a folder of this machine, spread over sub-folders by the first letters of their hash. */
export function localStorage(folder: string): FileStorage {
  const pathOf = (hash: string) => join(folder, keyOf(hash));

  const has = (hash: string) =>
    stat(pathOf(hash)).then(
      (entry) => entry.isFile(),
      () => false,
    );

  /** It comes to its place by a rename, after all of it has reached the disk. */
  async function keep({ hash, path }: StagedFile): Promise<void> {
    if (await has(hash)) return;
    const place = pathOf(hash);
    await mkdir(dirname(place), { recursive: true });
    await syncToDisk(path);
    await rename(path, place);
    await syncToDisk(dirname(place));
  }

  async function openFile(hash: string, range?: { start: number; end: number }) {
    return (await has(hash)) ? createReadStream(pathOf(hash), range) : undefined;
  }

  return {
    ...staging(join(folder, "incoming")),
    keep,
    has,
    open: openFile,
    remove: (hash) => rm(pathOf(hash), { force: true }),
  };
}

/** Waits until a file, or the list of a folder's files, is on the disk. */
async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
