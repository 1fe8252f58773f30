import { refuse } from "./errors.js";

/** The ladder of roles, low to high; a guest has none of them (`null`). Source: the roles of the interface. */
export const ROLES = ["read", "comment", "edit", "review", "create", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface UserCaller {
  kind: "user";
  id: string;
  name: string;
  email?: string;
  photo?: string;
  /** Role in each organization the user belongs to; `null` is a guest. */
  organizations: Record<string, Role | null>;
  /** Ids of the teams the user belongs to, in all organizations. */
  teams: string[];
  /** What the token is restricted to; absent means everything the user may do. */
  scopes?: string[];
  /** Id of the token that was used. */
  token: string;
}

export const SERVICES = ["gateway", "orgs", "content", "sites", "integrations", "launcher"] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface ServiceCaller {
  kind: "service";
  service: ServiceName;
}

/**
 * A script, by a token that it was handed with an event. It does what an operation declares for one of its scopes, and
 * nothing else.
 */
export interface IntegrationCaller {
  kind: "integration";
  /** The name of the integration. */
  integration: string;
  /** The installation that it works for; absent for a token of the integration itself, which reaches no content. */
  installation?: string;
  /** The organization that installed it, or publishes it. */
  organization: string;
  scopes: string[];
  /** Tells the token from others; never the token. */
  token: string;
}

export type Caller = UserCaller | IntegrationCaller | ServiceCaller;
/** Who shares a limited resource with others: a user, whatever their tokens, an installation of an integration, a service. */
export function partyOf(caller: Caller): string {
  if (caller.kind === "user") return caller.id;
  if (caller.kind === "service") return caller.service;
  return `${caller.integration}/${caller.installation ?? ""}`;
}

/** `undefined` is no relation at all, `null` a guest. */
export type Level = Role | null | undefined;

/** The caller's role in an organization. The platform's own services are administrators everywhere. */
export function roleIn(caller: Caller, organization: string): Level {
  if (caller.kind === "service") return "admin";
  if (caller.kind === "integration") {
    return caller.installation !== undefined && caller.organization === organization ? "read" : undefined;
  }
  return Object.hasOwn(caller.organizations, organization) ? caller.organizations[organization] : undefined;
}

export function atLeast(level: Level, minimum: Role): boolean {
  return level !== null && level !== undefined && ROLES.indexOf(level) >= ROLES.indexOf(minimum);
}

/** The higher of two roles. */
export function higher(one: Role, other: Role): Role {
  return atLeast(one, other) ? one : other;
}

/** Guards: 404 "<what>: not found" for a caller who may not even read, 403 for one who may not do this. */
export function allow(level: Level, minimum: Role, what: string): void {
  if (!atLeast(level, "read")) refuse("NOT_FOUND", `${what}: not found`);
  if (!atLeast(level, minimum)) refuse("FORBIDDEN", `${what}: needs the role ${minimum}`);
}

/** Guards by the role in an organization; a guest is seen (403), a stranger is not (404). */
export function allowIn(
  ctx: { caller: Caller },
  organization: string,
  minimum: Role | "guest",
  what = "Organization",
): void {
  const level = roleIn(ctx.caller, organization);
  if (level === undefined) refuse("NOT_FOUND", `${what}: not found`);
  if (minimum !== "guest" && !atLeast(level, minimum))
    refuse("FORBIDDEN", `${what}: needs the role ${minimum}`);
}

/** The flags of a `permissions` object, from the table that also says what guards each of them. */
export function can<Flag extends string>(level: Level, table: Record<Flag, Role>): Record<Flag, boolean> {
  const flags = {} as Record<Flag, boolean>;
  for (const flag in table) flags[flag] = atLeast(level, table[flag]);
  return flags;
}

/** The caller as a user; 403 for a service, which has no account of its own. */
export function userOf(ctx: { caller: Caller }): UserCaller {
  if (ctx.caller.kind !== "user") refuse("FORBIDDEN", "Caller: a user is needed");
  return ctx.caller;
}
