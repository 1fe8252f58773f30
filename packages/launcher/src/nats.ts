import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConnectionOptions, connect } from "nats";
import type { Guard } from "./guard.js";
import { natsBinary } from "./nats-binary.js";
import { commandOf, isAlive, stopProcess } from "./processes.js";
import { startServer } from "./server.js";
import type { NatsPasswords, NatsUser } from "./state.js";
import type { Running } from "./supervise.js";

export interface NatsOptions {
  dataDir: string;
  port: number;
  logFile: string;
  /** Of the users; without them whoever reaches the port may do everything. */
  passwords?: NatsPasswords;
  guard?: Guard;
  /** Called before the program is fetched, which takes a while. */
  onFetch?: () => void;
}

const usersFile = fileURLToPath(new URL("../../../deploy/nats/users.conf", import.meta.url));

/** The address of a broker for one of its users; without a password the address alone. */
export function natsUrlOf(url: string, user: NatsUser, password: string | undefined): string {
  if (!password) return url;
  const withUser = (address: string) => {
    const one = new URL(address.includes("://") ? address : `nats://${address}`);
    return `${one.protocol}//${user}:${encodeURIComponent(password)}@${one.host}`;
  };
  return url.split(",").map(withUser).join(",");
}

/** The variables by which the file of users finds the passwords. */
export const natsVariables = (passwords: NatsPasswords): Record<string, string> =>
  Object.fromEntries(
    Object.entries(passwords).map(([name, password]) => [variableOf(name as NatsUser), password]),
  );

export const variableOf = (user: NatsUser) => `OCTAVO_NATS_PASSWORD_${user.toUpperCase()}`;

/** Starts a nats-server with JetStream, its streams kept in the data directory. */
export async function startNats(options: NatsOptions): Promise<Running & { url: string }> {
  const { port, logFile, passwords, guard, onFetch } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const program = await natsBinary({ fallback: join(dataDir, "cache"), onFetch });
  const pidFile = join(dataDir, "nats.pid");
  await stopLeftNats(dataDir);

  const url = `nats://127.0.0.1:${port}`;
  const running = await startServer({
    name: "nats-server",
    command: program,
    args: [
      ...(passwords ? ["-c", usersFile] : []),
      "-a",
      "127.0.0.1",
      "-p",
      String(port),
      "-js",
      "-sd",
      dataDir,
      "-P",
      pidFile,
    ],
    env: passwords && natsVariables(passwords),
    logFile,
    ask: () => ask(natsUrlOf(url, "launcher", passwords?.launcher)),
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
  const connection = await connect({ ...(await optionsOf(url)), reconnect: false, timeout: 2_000 });
  try {
    await connection.jetstreamManager();
  } finally {
    await connection.close();
  }
}

/** The broker of a test run is asked before anything is built, and needs nothing of what is. */
async function optionsOf(url: string): Promise<ConnectionOptions> {
  if (!url.includes("@")) return { servers: url.split(",") };
  const { connectionOptions } = await import("@octavo/shared/events/bus");
  return connectionOptions(url, "launcher");
}
