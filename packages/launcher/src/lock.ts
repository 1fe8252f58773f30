import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf, isAlive } from "./processes.js";

/** Another launcher is using the data directory. */
export class LockedError extends Error {}

/**
 * Takes the data directory for this process and returns how to give it back. A lock whose process is gone,
 * or whose id belongs to another program by now, is taken over. Throws LockedError otherwise.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, "lock");
  const mine = `${process.pid}\n${commandOf(process.pid) ?? ""}\n`;
  for (let turn = 0; turn < 20; turn++) {
    if (tryCreate(file, mine)) return () => readIfThere(file) === mine && rmSync(file, { force: true });
    const theirs = readIfThere(file);
    if (theirs === undefined) continue;
    const [pid, command] = parse(theirs);
    if (pid > 0 && pid !== process.pid && isAlive(pid) && (!command || commandOf(pid) === command)) {
      throw new LockedError(
        `Octavo is running on ${dataDir} already (pid ${pid}). Stop it, or set OCTAVO_DATA_DIR`,
      );
    }
    removeStale(file, theirs);
  }
  throw new LockedError(`The lock of ${dataDir} changes hands too fast: ${file}`);
}

// The lock appears with its whole text at once: nobody may take one for stale that is just being written.
function tryCreate(file: string, text: string): boolean {
  const whole = `${file}.${process.pid}.new`;
  writeFileSync(whole, text, { mode: 0o600 });
  try {
    linkSync(whole, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}

// Two starts may find the same stale lock: what was moved aside is put back when it is no longer the stale one.
function removeStale(file: string, stale: string) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readIfThere(aside) !== stale) linkSync(aside, file);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function parse(text: string): [pid: number, command: string] {
  const [pid = "", command = ""] = text.split("\n");
  return [Number(pid) || 0, command];
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
