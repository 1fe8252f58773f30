import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressOf, type Deployable, environmentOf, limitsOf } from "./deployables.js";
import type { Guard } from "./guard.js";
import { logFileOf } from "./logs.js";
import { startNode } from "./node-process.js";
import type { SchemaName } from "./provision.js";
import type { Settings } from "./settings.js";
import type { NatsPasswords, State } from "./state.js";
import { type Supervised, supervise } from "./supervise.js";
import { warn } from "./terminal.js";

/** The folder of the whole project. */
export const projectRoot = fileURLToPath(new URL("../../../", import.meta.url));

export interface ServiceContext {
  settings: Settings;
  state: State;
  databaseUrls: Record<SchemaName, string>;
  natsUrl: string;
  natsPasswords: Partial<NatsPasswords>;
  guard: Guard;
  signal: AbortSignal;
  /** Run the sources instead of what was built from them. */
  dev: boolean;
}

/** Starts a service or the gateway as a process of its own, waits until it is ready, and keeps it alive. */
export async function superviseDeployable(one: Deployable, context: ServiceContext): Promise<Supervised> {
  const { settings, guard, signal, dev } = context;
  const cwd = join(projectRoot, one.folder);
  const entry = dev ? "src/main.ts" : "dist/main.js";
  if (!existsSync(join(cwd, entry))) {
    throw new Error(`${join(one.folder, entry)} is missing. Run: npm run build`);
  }
  const source = dev ? ["--import", "tsx", "--conditions=source"] : [];
  const options = {
    name: one.name,
    // The whole path, so that a list of processes distinguishes them.
    args: [...limitsOf(one), ...source, join(cwd, entry)],
    cwd,
    env: { ...environmentOf(one, context), ...(dev && { NODE_ENV: "development" }) },
    logFile: logFileOf(settings.dataDir, one.name),
    readyUrl: `${addressOf(one.name, settings)}/readyz`,
    guard,
  };
  return supervise({ name: one.name, start: (stop) => startNode(options, stop), signal, onChange: warn });
}
