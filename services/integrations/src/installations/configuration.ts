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
 * `active` when nothing that the integration requires is missing and all that it declares is of its type, else `pending`.
 * What it does not declare is its own. What a component configures has no declared shape: there, any configuration is
 * enough.
 */
export function statusOf(configuration: Values, account: Configuration | undefined): "active" | "pending" {
  if (!account) return "active";
  if (!("properties" in account)) return Object.keys(configuration).length > 0 ? "active" : "pending";
  const given = new Map(Object.entries(configuration).filter(([, value]) => !isEmpty(value)));
  const complete = (account.required ?? []).every((name) => given.has(name));
  const sound = Object.entries(account.properties).every(
    ([name, property]) => !given.has(name) || fits(given.get(name), property),
  );
  return complete && sound ? "active" : "pending";
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

/** A button stands for whatever the integration stores after it was pressed, such as the tokens of an OAuth flow. */
function fits(value: unknown, property: Property): boolean {
  if (property.type === "button") return true;
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
