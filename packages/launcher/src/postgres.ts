import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { type Account, reaching, unprivilegedAccount } from "./account.js";
import type { Guard } from "./guard.js";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.js";
import { commandOf, isAlive, stopProcess } from "./processes.js";
import { run } from "./run.js";
import { FatalStartError, startServer } from "./server.js";
import type { Running } from "./supervise.js";

export interface PostgresOptions {
  dataDir: string;
  port: number;
  /** The superuser's, set when the data directory is created. */
  password: string;
  logFile: string;
  /** Server settings beyond our own, e.g. `{ fsync: "off" }`. */
  settings?: Record<string, string>;
  guard?: Guard;
}

const ours = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // What is not touched takes no memory. Of less, a space of 10,000 pages drives out what writes need next.
  shared_buffers: "256MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** Starts PostgreSQL on the data directory, which it creates when missing; `url` is the superuser's. */
export async function startPostgres(options: PostgresOptions): Promise<Running & { url: string }> {
  const { port, password, logFile, guard } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dirname(dataDir), { recursive: true });
  const plain = unprivilegedAccount();
  const binaries = postgresBinaries(plain);
  const account = reaching(plain, dirname(dataDir));
  if (!existsSync(join(dataDir, "PG_VERSION"))) await initialise({ dataDir, password, binaries, account });
  await stopLeftPostgres(dataDir);

  const settings = Object.entries({ ...ours, ...options.settings, port: String(port) });
  const [command = "", ...args] = [...account.prefix, binaries.postgres, "-D", dataDir].concat(
    settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  );
  const url = addressOf(options);
  const { uid, gid } = account;
  const running = await startServer({
    name: "PostgreSQL",
    command,
    args,
    uid,
    gid,
    logFile,
    guard,
    ask: () => ask(url, dataDir),
    startMs: 60_000,
    // SIGINT is PostgreSQL's fast shutdown: sessions are cut, data is flushed.
    stop: { signal: "INT", graceMs: 15_000 },
  });
  return { ...running, url };
}

/** Where its superuser reaches it. */
export const addressOf = ({ port, password }: Pick<PostgresOptions, "port" | "password">) =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;

// Under another name until it is complete, so that a start broken off here leaves nothing half-made behind.
async function initialise(given: {
  dataDir: string;
  password: string;
  binaries: PostgresBinaries;
  account: Account;
}) {
  const { dataDir, password, binaries, account } = given;
  const fresh = `${dataDir}.new`;
  const secret = `${dataDir}.password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(secret, password, { mode: 0o600 });
  const { uid, gid, owner } = account;
  if (owner) for (const path of [fresh, secret]) chownSync(path, owner.uid, owner.gid);
  const [command = "", ...args] = [
    ...account.prefix,
    binaries.initdb,
    "-D",
    fresh,
    "--username=postgres",
    `--pwfile=${secret}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
  ];
  const made = await run(command, args, { uid, gid, cwd: "/" });
  rmSync(secret, { force: true });
  if (!made.ok) {
    const nameless = made.output.includes("could not look up effective user ID");
    const advice = nameless ? ". Run under an account that /etc/passwd knows, or give DATABASE_URL" : "";
    throw new Error(`initdb failed: ${made.output}${advice}`);
  }
  renameSync(fresh, dataDir);
}

/**
 * Stops the PostgreSQL that a killed predecessor left running on the data directory, if there is one. A pid
 * file that names another program is removed; one of a dead process is PostgreSQL's own to judge, which
 * knows whether sessions are still at work.
 */
export async function stopLeftPostgres(dataDir: string): Promise<void> {
  const file = join(resolve(dataDir), "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Math.abs(Number(readFileSync(file, "utf8").split("\n")[0]));
  if (!(pid > 1) || !isAlive(pid)) return;
  if (commandOf(pid)?.includes(dirname(file))) await stopProcess(pid, "SIGINT", 15_000);
  else rmSync(file, { force: true });
}

async function ask(url: string, dataDir: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const wrongPassword = (error as { code?: string }).code === "28P01";
    if (wrongPassword) {
      throw new FatalStartError(
        `The PostgreSQL in ${dataDir} was made with another password than state.json has.\n` +
          "Restore the state.json that belongs to it from a backup, or start with another OCTAVO_DATA_DIR",
      );
    }
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
