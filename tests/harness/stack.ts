import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { startGuard } from "@octavo/launcher/guard";
import { logFileOf } from "@octavo/launcher/logs";

/** A whole Octavo, started as `npm start` starts it: its own PostgreSQL, nats-server, services and gateway. */
export interface Stack {
  base: string;
  /** The gateway's port, from which the others are counted. */
  port: number;
  /** The first administrator's token. */
  token: string;
  dataDir: string;
  /** The process id of a part, such as `services/content` or `nats-server`. */
  pidOf(part: string): Promise<number>;
  /** Ends a part at once, as a crash would. */
  kill(part: string): Promise<void>;
  /** Resolves when the gateway and all services are ready. */
  ready(): Promise<void>;
  /** All that the launcher and the parts have logged. */
  logs(): Promise<string>;
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, "../..");
const OFFSETS = [0, 1, 2, 3, 4, 5, 22, 32];
const READY_WITHIN_MS = 90_000;
const STOPPED_WITHIN_MS = 30_000;
const run = promisify(execFile);

/** Where a stack that is not of these sources and on data of its own is to be found. */
export interface StackLocation {
  /** The folder of the project, built. */
  root?: string;
  /** A data directory that stays when the stack is stopped. */
  dataDir?: string;
}

/** Starts a stack on free ports, with data of its own. Addresses of this machine may be reached by git and tunnels. */
export async function startStack(
  env: Record<string, string> = {},
  place: StackLocation = {},
): Promise<Stack> {
  const port = await freeRange();
  const dataDir = place.dataDir ?? (await mkdtemp(join(tmpdir(), "octavo-stack-")));
  const token = "journey-token-of-the-administrator";
  const { DATABASE_URL: _, NATS_URL: __, ...inherited } = process.env;
  const logFile = logFileOf(dataDir, "launcher");
  if (place.dataDir) rmSync(logFile, { force: true });
  const log = openSync(logFile, "a");
  const guard = startGuard(dataDir);
  const child = spawn(process.execPath, ["packages/launcher/dist/main.js"], {
    cwd: place.root ?? root,
    env: {
      ...inherited,
      PORT: String(port),
      OCTAVO_DATA_DIR: dataDir,
      OCTAVO_ADMIN_TOKEN: token,
      OCTAVO_EGRESS_ALLOW: "127.0.0.0/8,::1/128",
      OCTAVO_SAMPLE: "0",
      // Nobody is asked for DNS records, unless a test says.
      OCTAVO_DNS_SERVERS: "127.0.0.1:9",
      ...env,
    },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  if (child.pid) guard.add(child.pid, "TERM");
  const base = `http://localhost:${port}`;
  const stack: Stack = {
    base,
    port,
    token,
    dataDir,
    pidOf: (part) => pidOf(child, part),
    kill: async (part) => void process.kill(await pidOf(child, part), "SIGKILL"),
    ready: () => ready(base, child),
    logs: () => logsOf(dataDir),
    stop: async () => {
      await stopped(child);
      guard.release();
      if (!place.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await untilGreeted(child, logFile);
    await stack.ready();
    return stack;
  } catch (error) {
    const logged = await stack.logs();
    await stack.stop();
    throw new Error(`${(error as Error).message}\n${logged}`);
  }
}

async function untilGreeted(child: ChildProcess, logFile: string) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!readFileSync(logFile, "utf8").includes("Octavo is up")) {
    if (child.exitCode !== null) throw new Error("The launcher ended");
    if (Date.now() > deadline) throw new Error("The launcher did not come up in time");
    await sleep(50);
  }
}

async function ready(base: string, child: ChildProcess) {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const response = await fetch(`${base}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("Not ready in time");
    await sleep(100);
  }
}

async function stopped(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const impatience = setTimeout(() => child.kill("SIGKILL"), STOPPED_WITHIN_MS);
  await ended;
  clearTimeout(impatience);
}

/** A descendant of the launcher whose command names the part. */
async function pidOf(launcher: ChildProcess, part: string): Promise<number> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,args="], { maxBuffer: 16 * 1024 * 1024 });
  const all = stdout.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return match ? { pid: Number(match[1]), parent: Number(match[2]), command: match[3]! } : [];
  });
  const family = new Set([launcher.pid!]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const found = all.find(({ pid, command }) => family.has(pid) && command.includes(part));
  if (!found) throw new Error(`${part} is not running`);
  return found.pid;
}

/** All that the launcher and the parts of the stack with this data directory have logged. */
export async function logsOf(dataDir: string): Promise<string> {
  const folder = join(dataDir, "logs");
  const each = (await readdir(folder)).map(
    async (name) => `--- ${name}\n${await readFile(join(folder, name), "utf8")}`,
  );
  return (await Promise.all(each)).join("\n");
}

/**
 * A port whose neighbours, as the launcher counts them, are free as well. It lies below the ports that systems give to
 * outgoing connections, one of which could take it before it is listened on.
 */
export async function freeRange(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    const free = await Promise.all(OFFSETS.map((offset) => isFree(port + offset)));
    if (free.every(Boolean)) return port;
  }
  throw new Error("No range of ports is free");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
