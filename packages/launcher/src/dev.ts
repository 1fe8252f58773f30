import { watch } from "node:fs";
import { join } from "node:path";
import { gateway, services } from "./deployables.js";
import { projectRoot } from "./services.js";
import type { Supervised } from "./supervise.js";
import { say } from "./terminal.js";

const calm = 150;

/** Restarts a process when its own sources change, and all of them when those of a shared package do. */
export function restartOnChange(processes: Supervised[]): () => void {
  const due = new Set<Supervised>();
  let timer: NodeJS.Timeout | undefined;
  const all = ["packages/shared", "packages/markdown"].map((folder) => ({ folder, whom: processes }));
  const single = [...services, gateway].map(({ folder, name }) => ({
    folder,
    whom: processes.filter((one) => one.name === name),
  }));
  const watchers = [...all, ...single].map(({ folder, whom }) =>
    watch(join(projectRoot, folder, "src"), { recursive: true }, (_event, file) => {
      if (!file?.endsWith(".ts") || file.endsWith(".test.ts")) return;
      for (const one of whom) due.add(one);
      clearTimeout(timer);
      timer = setTimeout(flush, calm);
    }),
  );

  function flush() {
    const these = [...due];
    due.clear();
    say(`  Changed: restarting ${these.map(({ name }) => name).join(", ")}`);
    for (const one of these) one.restart().catch((error: Error) => say(error.message));
  }

  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
