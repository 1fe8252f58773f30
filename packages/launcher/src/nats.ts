import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { connect } from "nats";
import type { Guard } from "./guard.js";
import { natsBinary } from "./nats-binary.js";
import { commandOf, isAlive, stopProcess } from "./processes.js";
import { startServer } from "./server.js";
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

  const url = `nats://127.0.0.1:${port}`;
  const running = await startServer({
    name: "nats-server",
    command: program,
    args: ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", dataDir, "-P", pidFile],
    logFile,
    ask: () => ask(url),
    startMs: 30_000,
    stop: { signal: "TERM", graceMs: 10_000 },
    guard,
  });
  return { ...running, url };
}

/** Why the NATS at the operator's addresses, with commas between them, is of no use now; undefined when it is. */
export async function troubleWithNats(addresses: string): Promise<string | undefined> {
  try {
    await ask(addresses);
  } catch (error) {
    return (error as Error).message;
  }
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

async function ask(url: string) {
  const connection = await connect({ servers: url.split(","), reconnect: false, timeout: 2_000 });
  try {
    await connection.jetstreamManager();
  } finally {
    await connection.close();
  }
}
