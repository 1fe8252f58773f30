import { join } from "node:path";
import { natsAbove, postgresAbove } from "./deployables.js";
import type { Guard } from "./guard.js";
import { logFileOf } from "./logs.js";
import { natsUrlOf, startNats, troubleWithNats } from "./nats.js";
import { startPostgres } from "./postgres.js";
import type { Settings } from "./settings.js";
import type { NatsPasswords } from "./state.js";
import { type Supervised, supervise } from "./supervise.js";
import { say, step, warn } from "./terminal.js";

interface Given {
  settings: Settings;
  password: string;
  natsPasswords: NatsPasswords;
  guard: Guard;
  signal: AbortSignal;
}

interface Server {
  url: string;
  /** Absent when the server is the operator's own. */
  process?: Supervised;
}

/** The PostgreSQL of DATABASE_URL, or the embedded one, kept alive. The address is an administrator's. */
export async function postgresServer({ settings, password, guard, signal }: Given): Promise<Server> {
  if (settings.databaseUrl) return { url: settings.databaseUrl };
  const { dataDir, port: base } = settings;
  const [directory, logFile] = [join(dataDir, "postgres"), logFileOf(dataDir, "postgres")];
  const options = { dataDir: directory, port: base + postgresAbove, password, logFile, guard };
  let url = "";
  const start = async () => {
    const server = await startPostgres(options);
    url = server.url;
    return server;
  };
  const process = await step("PostgreSQL ready", () =>
    supervise({ name: "PostgreSQL", start, signal, onChange: warn }),
  );
  return { url, process };
}

/** The NATS of NATS_URL, or one of our own, kept alive. */
export async function natsServer({
  settings,
  natsPasswords: passwords,
  guard,
  signal,
}: Given): Promise<Server> {
  if (settings.natsUrl) {
    const own = natsUrlOf(settings.natsUrl, "launcher", settings.natsPasswords.launcher);
    const trouble = await troubleWithNats(own);
    if (trouble) warn(`The NATS of NATS_URL is of no use now (${trouble}). Events wait until it is`);
    return { url: settings.natsUrl };
  }
  const { dataDir, port: base } = settings;
  const onFetch = () => say("  nats-server is not installed: fetching it once, from the system's packages");
  const [directory, logFile] = [join(dataDir, "nats"), logFileOf(dataDir, "nats")];
  const options = { dataDir: directory, port: base + natsAbove, logFile, passwords, guard, onFetch };
  let url = "";
  const start = async () => {
    const server = await startNats(options);
    url = server.url;
    return server;
  };
  const process = await step("NATS ready", () => supervise({ name: "NATS", start, signal, onChange: warn }));
  return { url, process };
}
