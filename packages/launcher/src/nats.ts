import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import type { Guard } from "./guard.js";
import { tailOf } from "./logs.js";
import { natsBinary } from "./nats-binary.js";
import { commandOf, ended, isAlive, stopProcess } from "./processes.js";
import type { Running } from "./supervise.js";

export interface NatsOptions {
  dataDir: string;
  port: number;
  logFile: string;
  guard?: Guard;
  /** Called before the program is fetched, which takes a while. */
  onFetch?: () => void;
}

/** Starts a nats-server with JetStream, its streams kept in the data directory. */
export async function startNats(options: NatsOptions): Promise<Running & { url: string }> {
  const { port, logFile, guard, onFetch } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const program = await natsBinary({ fallback: join(dataDir, "cache"), onFetch });
  const pidFile = join(dataDir, "nats.pid");
  await stopLeftNats(dataDir);

  const log = openSync(logFile, "a");
  const args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", dataDir, "-P", pidFile];
  const child = spawn(program, args, { cwd: "/", stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  const end = ended(child);
  const url = `nats://127.0.0.1:${port}`;
  const pid = child.pid ?? 0;
  if (pid) guard?.add(pid, "TERM");
  const died = new AbortController();
  const failure = end.then((how) => {
    died.abort();
    throw diedAtStart(how, logFile);
  });
  await Promise.race([answers(url, died.signal), failure]);
  return {
    url,
    pid,
    ended: end,
    stop: async () => {
      await stopProcess(pid, "SIGTERM", 10_000);
      guard?.drop(pid);
    },
  };
}

/** Stops the nats-server that a killed predecessor left running on the data directory, if there is one. */
export async function stopLeftNats(dataDir: string): Promise<void> {
  const pidFile = join(resolve(dataDir), "nats.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8"));
  if (pid > 1 && isAlive(pid) && commandOf(pid)?.includes(dirname(pidFile)))
    await stopProcess(pid, "SIGTERM", 10_000);
  rmSync(pidFile, { force: true });
}

async function answers(url: string, died: AbortSignal) {
  const deadline = Date.now() + 30_000;
  while (!died.aborted) {
    try {
      const connection = await connect({ servers: url, reconnect: false, timeout: 2_000 });
      await connection.jetstreamManager();
      await connection.close();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(40);
    }
  }
}

const diedAtStart = (how: string, logFile: string) =>
  new Error(`nats-server ended at start (${how}). The end of ${logFile}:\n${tailOf(logFile)}`);
