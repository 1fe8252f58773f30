import type { Egress } from "@octavo/shared/egress/client";
import type { Logger } from "@octavo/shared/log";
import { findWorkerd } from "./binary.js";
import { createOutbound } from "./outbound.js";
import { createPool } from "./pool.js";
import { noRuntime, type Runtime } from "./runtime.js";

export interface RuntimeSettings {
  egress: Egress;
  log: Logger;
  /** The base of the API as scripts receive it. */
  apiEndpoint: string;
  /** Where it is reached from here. */
  gatewayUrl: string;
  /** The program, where it is not the one from npm. */
  workerd?: string;
  /** Time in ms that a script may take to respond. */
  timeoutMs: number;
  /** MB of memory that the scripts of one organization may take together. */
  memory: number;
}

const PROCESSES = 8;
const IDLE_MS = 120_000;

/** The runtime of this machine. Processes start with the first event for their organization. */
export function startRuntime(settings: RuntimeSettings): Runtime {
  const { log, timeoutMs, memory } = settings;
  const found = findWorkerd(settings.workerd);
  if ("reason" in found) {
    log.warn({ reason: found.reason }, "scripts of integrations are not run");
    return noRuntime(found.reason);
  }
  // The requests of one organization's scripts take nothing from those of others.
  const outbound = () => createOutbound(settings);
  return createPool({
    workerd: found.path,
    memory,
    timeoutMs,
    outbound,
    log,
    processes: PROCESSES,
    idleMs: IDLE_MS,
  });
}
