import { mkdirSync } from "node:fs";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { natsUrlOf, variableOf } from "./nats.js";
import type { SchemaName } from "./provision.js";
import type { Settings } from "./settings.js";
import { type NatsPasswords, natsUsers, type State, trustedKeys } from "./state.js";

/** A process of Octavo: where its code is, and how far its port lies above the gateway's. */
export interface Deployable {
  name: "gateway" | "reader" | SchemaName;
  folder: string;
  above: number;
  /** Limit of the JavaScript heap in MB. */
  heap: number;
  /** Limit of each half of what was just made in MB; 16 by default. */
  young?: number;
}

/** The options of Node that limit the heap of a process. */
export const limitsOf = ({ heap, young = 16 }: Deployable): string[] => [
  `--max-old-space-size=${heap}`,
  // By default it follows from the other one, and would be so small that collecting it takes a fifth of the time.
  `--max-semi-space-size=${young}`,
];

/** In the order they are stopped in, reversed: whom others call comes first. */
export const services: (Deployable & { name: SchemaName })[] = [
  { name: "orgs", folder: "services/orgs", above: 1, heap: 160 },
  { name: "content", folder: "services/content", above: 2, heap: 256 },
  { name: "sites", folder: "services/sites", above: 3, heap: 160 },
  { name: "integrations", folder: "services/integrations", above: 4, heap: 160 },
];
export const gateway: Deployable = { name: "gateway", folder: "gateway", above: 0, heap: 160 };
export const reader: Deployable = { name: "reader", folder: "reader", above: 5, heap: 160, young: 2 };
/** All processes, in the order they are stopped in, reversed. */
export const deployables: Deployable[] = [...services, reader, gateway];
export const natsAbove = 22;
export const postgresAbove = 32;

/**
 * Lets glibc give back what is freed: by default each thread has an area of its own, which is kept, and what is taken from
 * it may be the larger the larger the blocks were that were freed before.
 */
export const LESS_KEPT = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** Where a process can be reached from this machine. */
export function addressOf(name: Deployable["name"], { port, host }: Settings): string {
  const one = deployables.find((deployable) => deployable.name === name);
  const everywhere = host === "0.0.0.0" || host === "::";
  const reachable = name === "gateway" && !everywhere ? host : "127.0.0.1";
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port + (one?.above ?? 0)}`;
}

interface Given {
  settings: Settings;
  state: State;
  databaseUrls: Record<SchemaName, string>;
  natsUrl: string;
  /** Of the broker's users; those without connect as the address says. */
  natsPasswords: Partial<NatsPasswords>;
}

/** The environment of one process: ours, less what is the launcher's own, plus its part of the configuration. */
export function environmentOf(
  one: Deployable,
  given: Given,
  own = process.env,
): Record<string, string | undefined> {
  const { settings, state, databaseUrls, natsUrl, natsPasswords } = given;
  const { OCTAVO_ADMIN_TOKEN: _, DATABASE_URL: __, DATABASE_SCHEMA: ___, ...inherited } = own;
  const shared = {
    ...inherited,
    NODE_ENV: "production",
    PORT: String(settings.port + one.above),
    NATS_URL: one.name === "reader" ? undefined : natsUrlOf(natsUrl, one.name, natsPasswords[one.name]),
    ...Object.fromEntries(natsUsers.map((name) => [variableOf(name), undefined])),
    OCTAVO_BASE_URL: settings.baseUrl,
    OCTAVO_TRUSTED_KEYS: JSON.stringify(trustedKeys(state)),
    OCTAVO_SIGNING_KEY: JSON.stringify(state.signingKeys[one.name]),
    OCTAVO_ORGS_URL: addressOf("orgs", settings),
    OCTAVO_CONTENT_URL: addressOf("content", settings),
    OCTAVO_SITES_SERVICE_URL: addressOf("sites", settings),
    OCTAVO_INTEGRATIONS_URL: addressOf("integrations", settings),
    OCTAVO_GATEWAY_URL: addressOf("gateway", settings),
  };
  if (one.name === "gateway")
    return { ...shared, HOST: settings.host, OCTAVO_READER_URL: addressOf("reader", settings) };
  if (one.name === "reader") return { ...shared, HOST: "127.0.0.1", ...LESS_KEPT };
  return {
    ...shared,
    HOST: "127.0.0.1",
    DATABASE_URL: databaseUrls[one.name],
    DATABASE_SCHEMA: one.name,
    OCTAVO_SECRET_KEY: state.secretKey,
    OCTAVO_EGRESS_ALLOW: settings.egressAllow,
    OCTAVO_DATA_DIR: filesOf(settings, one.name),
  };
}

function filesOf({ dataDir }: Settings, name: SchemaName): string {
  const directory = join(dataDir, "files", name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}
