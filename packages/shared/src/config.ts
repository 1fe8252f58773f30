import { Resolver } from "node:dns";
import { z } from "zod";
import { isAddressRange } from "./egress/address.js";
import { issuesOf } from "./errors.js";
import { isVaultKey } from "./secrets.js";

const port = z.coerce.number().int().min(0).max(65_535);
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

/** Where a PostgreSQL is, with the role. */
export const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be as postgres://role:password@host:5432/database",
});

/** Texts with commas between them; none when the variable is not set. */
export const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );

/** Ranges of addresses, with commas. */
export const addressRanges = list.refine(
  (ranges) => ranges.every(isAddressRange),
  "must be addresses or ranges such as 10.0.0.0/8, with commas",
);

/** Who is asked for DNS records, with commas; the system's servers when there is none. */
export const dnsServers = list.refine(
  areServers,
  "must be addresses such as 9.9.9.9 or [2620:fe::9]:53, with commas",
);

function areServers(servers: string[]): boolean {
  try {
    if (servers.length > 0) new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

const keyBytes = z.base64url().length(43);
const PublicKey = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  kid: z.string().min(1),
  x: keyBytes,
});

/** The private key of a signer. */
export const signingKey = json(
  PublicKey.extend({ d: keyBytes }),
  "must be a private Ed25519 key with a `kid`, as JWK",
);
const trustedKeys = json(
  z.object({ keys: z.array(PublicKey).min(1) }),
  "must be public Ed25519 keys, each with a `kid`, as JWKS",
);

/** The domain below which each site has a host of its own. */
const sitesDomain = z
  .string()
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
    "must be a domain such as docs.example.com",
  );

/** Base64 of 32 bytes; several, joined by commas, while a key is rotated. */
const secretKey = z
  .string()
  .refine((keys) => keys.split(",").every(isVaultKey), "must be base64 of 32 bytes; several with commas");

/** The variables that every service reads; a service adds its own with `.extend()`. */
export const serviceConfig = z.object({
  PORT: port,
  HOST: z.string().default("127.0.0.1"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  DATABASE_URL: databaseAddress,
  DATABASE_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]*$/)
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  NATS_URL: z.string().min(1),
  OCTAVO_BASE_URL: address,
  OCTAVO_APP_URL: address.optional(),
  OCTAVO_SITES_URL: address.optional(),
  OCTAVO_SITES_DOMAIN: sitesDomain.optional(),
  OCTAVO_TRUSTED_KEYS: trustedKeys,
  OCTAVO_SIGNING_KEY: signingKey,
  OCTAVO_SECRET_KEY: secretKey,
  OCTAVO_EGRESS_ALLOW: addressRanges,
});
export type ServiceConfig = z.output<typeof serviceConfig>;

/** The address of a neighbour service, for `.extend()`. */
export const neighbour = address;

/**
 * Reads the configuration from the environment. All mistakes are printed at once, without the values,
 * and the process ends with 78 (EX_CONFIG).
 */
export function readConfig<Shape extends z.ZodObject>(
  shape: Shape,
  env: Record<string, string | undefined> = process.env,
): z.output<Shape> {
  const known = Object.fromEntries(Object.keys(shape.shape).map((name) => [name, env[name] || undefined]));
  const parsed = shape.safeParse(known);
  if (parsed.success) return parsed.data;
  const lines = issuesOf(parsed.error).map(({ path, message }) => `  ${path}: ${message}`);
  process.stderr.write(`The configuration is not usable:\n${lines.join("\n")}\n`);
  process.exit(78);
}

/** JSON in a variable. All that is wrong with it is one problem, reported without the value. */
function json<Shape extends z.ZodType>(shape: Shape, message: string) {
  return z.string().transform((text, ctx): z.output<Shape> => {
    const parsed = shape.safeParse(parse(text));
    if (parsed.success) return parsed.data;
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
