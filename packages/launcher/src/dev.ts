import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deployables, gateway, reader } from "./deployables.js";
import { run } from "./run.js";
import { projectRoot } from "./services.js";
import type { Supervised } from "./supervise.js";
import { say } from "./terminal.js";
import { watchTree } from "./watch-tree.js";

const calm = 150;

interface Options {
  root?: string;
  /** Brings the gateway's table of routes up to date, and returns whether that changed it. */
  refreshRoutes?: () => Promise<boolean>;
  report?: (line: string) => void;
}

/**
 * Restarts a process when its own sources change, and all of them when those of a shared package do; and the gateway,
 * when services have other operations than before. Returns how to end that.
 */
export function restartOnChange(processes: Supervised[], options: Options = {}): () => void {
  const { root = projectRoot, refreshRoutes = writeRoutes, report = say } = options;
  const due = new Set<Supervised>();
  let timer: NodeJS.Timeout | undefined;
  const processesOf = (name: string) => processes.filter((one) => one.name === name);
  const all = ["packages/shared", "packages/markdown"].map((folder) => ({ folder, whom: processes }));
  const single = deployables.map(({ folder, name }) => ({ folder, whom: processesOf(name) }));
  const drawn = { folder: "packages/html", whom: processesOf(reader.name) };
  const watchers = [...all, drawn, ...single].map(({ folder, whom }) =>
    watchSources(join(root, folder, "src"), report, () => {
      for (const one of whom) due.add(one);
      clearTimeout(timer);
      timer = setTimeout(flush, calm);
    }),
  );
  const refresh = oneAtATime(async () => {
    try {
      if (await refreshRoutes()) restart(processesOf(gateway.name), "Other operations");
    } catch (error) {
      report(`  The gateway's routes stay as they were: ${(error as Error).message}`);
    }
  });

  function flush() {
    const these = [...due];
    due.clear();
    restart(these, "Changed");
    if (these.some(({ name }) => name !== gateway.name)) void refresh();
  }

  function restart(these: Supervised[], why: string) {
    report(`  ${why}: restarting ${these.map(({ name }) => name).join(", ")}`);
    for (const one of these) one.restart().catch((error: Error) => report(error.message));
  }

  return () => {
    clearTimeout(timer);
    for (const end of watchers) end();
  };
}

/**
 * Reports every change to sources in the folder, and returns how to end that. What keeps it from seeing some is
 * reported, once, and ends nothing.
 */
export function watchSources(
  folder: string,
  report: (line: string) => void,
  onChange: () => void,
  watchAll = watchTree,
): () => void {
  let reported = false;
  const failed = ({ message }: Error) => {
    if (!reported) report(`  Not every change in ${folder} will be seen: ${message}`);
    reported = true;
  };
  const changed = (file: string) => {
    if (/\.tsx?$/.test(file) && !file.endsWith(".test.ts")) onChange();
  };
  try {
    return watchAll(folder, { changed, failed });
  } catch (error) {
    failed(error as Error);
    return () => {};
  }
}

/** Does the work, and once more when it was asked for meanwhile. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      await work();
    }
    running = false;
  };
}

/** As `npm run routes`, from the sources. */
async function writeRoutes(): Promise<boolean> {
  const folder = join(projectRoot, gateway.folder);
  const read = () => readFileSync(join(folder, "routes.json"), "utf8");
  const before = read();
  const args = ["--import", "tsx", "--conditions=source", join(folder, "src/write-routes.ts")];
  const { ok, output } = await run(process.execPath, args, { cwd: projectRoot });
  // Of a program that throws, the error is of interest, not the stack around it.
  if (!ok) throw new Error(/^\w*Error\b.*(\n(?!\s+at ).+)*/m.exec(output)?.[0] ?? output);
  return read() !== before;
}
