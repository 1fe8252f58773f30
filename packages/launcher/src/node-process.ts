import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { withDeadline } from "@octavo/shared/deadline";
import type { Guard } from "./guard.js";
import { sizeOf, tailOf } from "./logs.js";
import { ended, stopProcess } from "./processes.js";
import type { Running } from "./supervise.js";

export interface NodeProcess {
  name: string;
  /** Arguments of node. */
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  logFile: string;
  /** Returns 200 when the process is ready to work. */
  readyUrl: string;
  guard: Guard;
}

const patience = 60_000;

/** Starts a node process and resolves when it is ready; when it ends before that, throws with the end of its log. */
export async function startNode(options: NodeProcess, signal: AbortSignal): Promise<Running> {
  const { name, args, cwd, env, logFile, readyUrl, guard } = options;
  const from = sizeOf(logFile);
  const log = openSync(logFile, "a");
  // A process group of its own: Ctrl-C reaches the launcher alone, which then stops all in good order.
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  const end = ended(child);
  const pid = child.pid ?? 0;
  if (pid) guard.add(pid, "TERM");
  const stop = async () => {
    if (pid) await stopProcess(pid, "SIGTERM", 10_000);
    guard.drop(pid);
  };
  const fail = (what: string) =>
    new Error(`${name} ${what}. The end of ${logFile}:\n${tailOf(logFile, { from })}`);
  const waiting = new AbortController();
  const died = end.then((how) => Promise.reject(fail(`ended at start (${how})`)));
  try {
    const ready = await Promise.race([isReady(readyUrl, AbortSignal.any([signal, waiting.signal])), died]);
    if (!ready) throw fail(signal.aborted ? "was stopped" : `was not ready within ${patience / 1000} s`);
  } catch (error) {
    waiting.abort();
    await stop();
    throw error;
  }
  return { pid, ended: end, stop };
}

async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline && !signal.aborted) {
    const response = await fetch(url, { signal: withDeadline(signal, 5_000) }).catch(() => {});
    await response?.body?.cancel();
    if (response?.ok) return true;
    await sleep(50);
  }
  return false;
}
