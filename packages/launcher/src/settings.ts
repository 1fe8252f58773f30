import { resolve } from "node:path";
import { isBearer } from "@octavo/shared/bearer";
import { addressRanges, databaseAddress, list, neighbour, readConfig } from "@octavo/shared/config";
import { emailDomain } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { variableOf } from "./nats.js";
import { type NatsPasswords, natsUsers } from "./state.js";

const Settings = z.object({
  PORT: z.coerce.number().int().min(1).max(65_500).default(4000),
  HOST: z.string().default("127.0.0.1"),
  OCTAVO_DATA_DIR: z.string().default("./.octavo"),
  OCTAVO_ADMIN_TOKEN: z
    .string()
    .refine(isBearer, "must be 20 to 512 letters, digits or ._~+/-, and no mistyped token of ours")
    .optional(),
  OCTAVO_BASE_URL: neighbour.optional(),
  OCTAVO_EGRESS_ALLOW: addressRanges,
  OCTAVO_EMAIL_DOMAINS: list.pipe(z.array(emailDomain)),
  DATABASE_URL: databaseAddress.optional(),
  NATS_URL: z.string().optional(),
  OCTAVO_SAMPLE: z.enum(["0", "1"]).default("1"),
});

/** What the operator sets, as the environment gives it. */
export interface Settings {
  port: number;
  /** Where the gateway listens. */
  host: string;
  dataDir: string;
  adminToken?: string;
  baseUrl: string;
  egressAllow: string;
  /** Of the first organization; they count as verified. */
  emailDomains: string[];
  databaseUrl?: string;
  natsUrl?: string;
  /** Of the users of the operator's NATS, as far as there are any. */
  natsPasswords: Partial<NatsPasswords>;
  sample: boolean;
}

/** Reads the operator's variables; prints all mistakes and ends the process when there are some. */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const read = readConfig(Settings, env);
  return {
    port: read.PORT,
    host: read.HOST,
    dataDir: resolve(read.OCTAVO_DATA_DIR),
    adminToken: read.OCTAVO_ADMIN_TOKEN,
    baseUrl: (read.OCTAVO_BASE_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ""),
    egressAllow: read.OCTAVO_EGRESS_ALLOW.join(","),
    emailDomains: read.OCTAVO_EMAIL_DOMAINS,
    databaseUrl: read.DATABASE_URL,
    natsUrl: read.NATS_URL,
    natsPasswords: Object.fromEntries(
      natsUsers.flatMap((name) => (env[variableOf(name)] ? [[name, env[variableOf(name)]]] : [])),
    ),
    sample: read.OCTAVO_SAMPLE === "1",
  };
}
