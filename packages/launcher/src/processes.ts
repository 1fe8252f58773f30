import { type ChildProcess, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a process with this id exists, even one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The command line of a process, arguments joined by blanks; undefined when there is none to be read. */
export function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return fromPs(pid);
  }
}

/** The id of a process's parent, where the system has /proc. */
export function parentOf(pid: number): number | undefined {
  try {
    const line = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return line ? Number(line[1]) : undefined;
  } catch {
    return undefined;
  }
}

/** Sends the signal, waits, and ends the process the hard way when it is still there after `timeoutMs`. */
export async function stopProcess(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  send(pid, signal);
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid) && Date.now() < deadline) await sleep(20);
  if (!isAlive(pid)) return;
  send(pid, "SIGKILL");
  while (isAlive(pid) && Date.now() < deadline + 2_000) await sleep(20);
}

/** Resolves when the child has ended (at once when it already has), with a phrase that says how. */
export function ended(child: ChildProcess): Promise<string> {
  const say = () => (child.signalCode ? `signal ${child.signalCode}` : `exit code ${child.exitCode}`);
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(say());
  return new Promise((resolve) => {
    child.once("exit", () => resolve(say()));
    child.once("error", (error) => resolve(error.message));
  });
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

// A killed child that nobody has waited for yet still accepts signal 0.
function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function fromPs(pid: number): string | undefined {
  try {
    const output = execFileSync("ps", ["-p", String(pid), "-o", "command="], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
}
