import { generateKeyPairSync, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { newBearer } from "@octavo/shared/bearer";
import { z } from "zod";
import { schemas } from "./provision.js";

/** Who signs identities: every process of Octavo, with a key of its own. */
export const signers = ["gateway", "orgs", "content", "sites", "integrations", "launcher", "reader"] as const;

/** Who connects to the broker, each with a password of its own: every process of Octavo but the reader. */
export const natsUsers = ["gateway", "orgs", "content", "sites", "integrations", "launcher"] as const;
export type NatsUser = (typeof natsUsers)[number];
export type NatsPasswords = Record<NatsUser, string>;

const Jwk = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  kid: z.string(),
  x: z.string(),
  d: z.string(),
});

const State = z.object({
  version: z.literal(1),
  postgresPassword: z.string(),
  passwords: z.record(z.enum(schemas), z.string()),
  signingKeys: z.object({
    gateway: Jwk,
    orgs: Jwk,
    content: Jwk,
    sites: Jwk,
    integrations: Jwk,
    launcher: Jwk,
    /** A state of an earlier release has none. */
    reader: Jwk.default(() => signingKey("reader")),
  }),
  /** Of the broker that the launcher starts; a state of an earlier release has none. */
  natsPasswords: z.record(z.enum(natsUsers), z.string()).default(newNatsPasswords),
  /** Base64 of 32 bytes: encrypts secrets at rest. */
  secretKey: z.string(),
  adminToken: z.string(),
  /**
   * The first organization and its administrator, once they are made, the token they were made with, and the
   * domains that the operator vouched for.
   */
  first: z
    .object({
      organization: z.string(),
      user: z.string(),
      token: z.string(),
      emailDomains: z.array(z.string()).optional(),
    })
    .optional(),
  /** How far the sample has come. */
  sample: z
    .object({
      started: z.boolean().optional(),
      space: z.string().optional(),
      specification: z.boolean().optional(),
      changeRequest: z.string().optional(),
      files: z.boolean().optional(),
      written: z.boolean().optional(),
      merged: z.boolean().optional(),
      site: z.string().optional(),
      styled: z.boolean().optional(),
      published: z.boolean().optional(),
    })
    .default({}),
});
export type State = z.output<typeof State>;
export type Jwk = z.output<typeof Jwk>;

/** What the launcher must remember between two starts of one data directory; it holds secrets. */
export interface StateFile {
  state: State;
  /** Whether the file was made now. */
  fresh: boolean;
  save(): void;
}

/**
 * Reads the state of a data directory, or makes it with new secrets. A damaged file is an error, never replaced, and so
 * is a missing one beside a database that was made with it.
 */
export function openState(dataDir: string): StateFile {
  const file = join(dataDir, "state.json");
  const text = readIfThere(file);
  if (text === undefined && existsSync(join(dataDir, "postgres", "PG_VERSION"))) {
    throw new Error(
      `${dataDir} has a database, but the keys and passwords that it was made with are gone: ${file} is missing.\n${advice}`,
    );
  }
  const state = text === undefined ? newState() : parse(text, file);
  const save = () => writeWhole(file, `${JSON.stringify(state, null, 2)}\n`);
  if (text === undefined) save();
  return { state, fresh: text === undefined, save };
}

/** The public halves of the signers' keys, as services expect them in OCTAVO_TRUSTED_KEYS. */
export function trustedKeys({ signingKeys }: State): { keys: Omit<Jwk, "d">[] } {
  return { keys: signers.map((name) => signingKeys[name]).map(({ d: _, ...rest }) => rest) };
}

/** New passwords, keys and a token, all of them random. */
export function newState(): State {
  const password = () => randomBytes(24).toString("base64url");
  return {
    version: 1,
    postgresPassword: password(),
    passwords: { orgs: password(), content: password(), sites: password(), integrations: password() },
    signingKeys: Object.fromEntries(signers.map((name) => [name, signingKey(name)])) as State["signingKeys"],
    natsPasswords: newNatsPasswords(),
    secretKey: randomBytes(32).toString("base64"),
    adminToken: newBearer(),
    sample: {},
  };
}

/** They begin with a letter, for nats-server reads what begins with a digit as a number. */
function newNatsPasswords(): NatsPasswords {
  return Object.fromEntries(
    natsUsers.map((name) => [name, `n${randomBytes(24).toString("hex")}`]),
  ) as NatsPasswords;
}

function signingKey(kid: string): Jwk {
  return Jwk.parse({ ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }), kid });
}

const advice =
  "It holds the keys of this data directory. Restore it from a backup, or start with another OCTAVO_DATA_DIR";

function parse(text: string, file: string): State {
  try {
    return State.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`${file} is damaged: ${why}\n${advice}`);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

// A reader, or a start after a power cut, finds the old text or the new one, never half of it.
function writeWhole(file: string, text: string) {
  const next = `${file}.new`;
  const handle = openSync(next, "w", 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(next, file);
}
