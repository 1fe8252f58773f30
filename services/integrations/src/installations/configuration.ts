import type { Configuration } from "../schemas/manifest.js";

type Values = Record<string, unknown>;
type Form = Extract<Configuration, { properties: unknown }>;
type Property = Form["properties"][string];

const MOST_BYTES = 100_000;
const MOST_DEPTH = 50;

/** What a new installation is configured as: the defaults that the integration declares. */
export function initialConfiguration(account: Configuration | undefined): Values {
  if (!account || !("properties" in account)) return {};
  const defaults = Object.entries(account.properties).flatMap(([name, property]) =>
    "default" in property && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  return Object.fromEntries(defaults);
}

/**
 * `active` when nothing that the integration requires is missing or of the wrong type, else `pending`. What a
 * component configures has no declared shape: there, any configuration is enough.
 */
export function statusOf(configuration: Values, account: Configuration | undefined): "active" | "pending" {
  if (!account) return "active";
  if (!("properties" in account)) return Object.keys(configuration).length > 0 ? "active" : "pending";
  const sound = (account.required ?? []).every((name) => fits(configuration[name], account.properties[name]));
  return sound ? "active" : "pending";
}

/** A button stands for whatever the integration stores after it was pressed, such as the tokens of an OAuth flow. */
function fits(value: unknown, property: Property | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (!property || property.type === "button") return true;
  if (property.type === "string" && property.enum) return property.enum.includes(value as string);
  return typeof value === property.type;
}

/** Whether PostgreSQL can keep it as jsonb, at a size that an environment can carry. */
export function storable(configuration: Values): boolean {
  return sound(configuration, 0) && Buffer.byteLength(JSON.stringify(configuration)) <= MOST_BYTES;
}

function sound(value: unknown, depth: number): boolean {
  if (typeof value === "string") return !/\0|\p{Surrogate}/u.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === MOST_DEPTH) return false;
  return Object.entries(value).every(([key, item]) => sound(key, depth) && sound(item, depth + 1));
}
