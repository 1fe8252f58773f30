import { type StdioOptions, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Guard } from "./guard.js";
import { tailOf } from "./logs.js";
import { ended, stopProcess } from "./processes.js";
import type { Running } from "./supervise.js";

/** An embedded server, and how to start and stop it. */
export interface Server {
  name: string;
  command: string;
  args: string[];
  /** Variables besides our own. */
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
  logFile: string;
  /** Asks once whether it responds; throws while it does not. */
  ask: () => Promise<void>;
  /** It has so long to respond. */
  startMs: number;
  /** What ends it in good order, and how long it may take. */
  stop: { signal: "INT" | "TERM"; graceMs: number };
  guard?: Guard;
}

/** What makes asking again pointless. */
export class FatalStartError extends Error {}

/**
 * Starts a server that writes to its log, and waits until it responds; the error holds what it wrote when it died. One
 * that never responds is stopped again.
 */
export async function startServer(server: Server): Promise<Running> {
  const { name, command, args, env, uid, gid, logFile, guard } = server;
  const log = openSync(logFile, "a");
  const stdio: StdioOptions = ["ignore", log, log];
  const child = spawn(command, args, {
    uid,
    gid,
    cwd: "/",
    stdio,
    detached: true,
    env: { ...process.env, ...env },
  });
  closeSync(log);
  const end = ended(child);
  const pid = child.pid ?? 0;
  if (pid) guard?.add(pid, server.stop.signal);
  const stop = async () => {
    if (pid) await stopProcess(pid, `SIG${server.stop.signal}`, server.stop.graceMs);
    guard?.drop(pid);
  };
  const died = new AbortController();
  const failure = end.then((how) => {
    died.abort();
    throw new Error(`${name} ended at start (${how}). The end of ${logFile}:\n${tailOf(logFile)}`);
  });
  try {
    await Promise.race([waitUntilReady(server, died.signal), failure]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, ended: end, stop };
}

async function waitUntilReady({ ask, startMs }: Server, died: AbortSignal) {
  const deadline = Date.now() + startMs;
  while (!died.aborted) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof FatalStartError || Date.now() > deadline) throw error;
      await sleep(40);
    }
  }
}
