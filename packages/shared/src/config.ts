import { z } from "zod";
import { issuesOf } from "./errors.js";

const port = z.coerce.number().int().min(0).max(65_535);
const address = z.url({ protocol: /^https?$/ });

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

/** The variables that every service reads; a service adds its own with `.extend()`. */
export const serviceConfig = z.object({
  PORT: port,
  HOST: z.string().default("127.0.0.1"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]*$/)
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  NATS_URL: z.string().min(1),
  OCTAVO_BASE_URL: address,
  OCTAVO_APP_URL: address.optional(),
  OCTAVO_SITES_URL: address.optional(),
  OCTAVO_TRUSTED_KEYS: z.string().min(2),
  OCTAVO_SIGNING_KEY: z.string().min(2),
  /** Base64; several, joined by commas, while a key is rotated. */
  OCTAVO_SECRET_KEY: z.string().regex(/^[A-Za-z0-9+/]+=*(,[A-Za-z0-9+/]+=*)*$/, "must be base64"),
  OCTAVO_EGRESS_ALLOW: list,
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
