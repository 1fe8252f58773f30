import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";

interface WatchListener {
  /** The path of a file that was written, made, renamed or removed. */
  changed: (file: string) => void;
  failed: (error: Error) => void;
}

/**
 * Watches a folder and all folders below it, each by itself: the recursive watcher of Node 20 sees a file no more once
 * another was put in its place, as editors and git do. Throws when there is no such folder. Returns how to end that.
 */
export function watchTree(folder: string, { changed, failed }: WatchListener): () => void {
  const watchers = new Map<string, FSWatcher>();

  function add(directory: string) {
    watchers.get(directory)?.close();
    const watcher = watch(directory, (event, name) => {
      if (!name) return;
      const path = join(directory, name);
      changed(path);
      if (event === "rename") look(path);
    });
    watchers.set(directory, watcher.on("error", failed));
    for (const entry of readdirSync(directory, { withFileTypes: true }))
      if (entry.isDirectory()) add(join(directory, entry.name));
  }

  // A folder may have come, with files in it that were written before it was watched.
  function look(path: string) {
    try {
      if (!statSync(path).isDirectory()) return;
      add(path);
      for (const file of readdirSync(path, { recursive: true, encoding: "utf8" })) changed(join(path, file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") failed(error as Error);
    }
  }

  add(folder);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}
