import type { Level, Role } from "./roles.js";

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
 * Which spaces, or which sites, an installation works in: all of its organization but those that are named, or those
 * alone that are.
 */
export interface Reach {
  all: boolean;
  but: string[];
}

/** Whether an installation works in a space, or on a site; without a reach it works in all of its organization. */
export const isWithin = (reach: Reach | undefined, id: string): boolean =>
  reach === undefined || reach.all !== reach.but.includes(id);

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
  /** The spaces that it works in; all of the organization when absent. */
  spaces?: Reach;
  /** The sites that it works on; all of the organization when absent. */
  sites?: Reach;
  /** Identifies the token; never the token itself. */
  token: string;
}

/**
 * A visitor of a published site, by a short-lived token that the sites service made for one address of the site. It
 * reads what the site shows by operations that are declared for readers, and nothing else.
 */
export interface ReaderCaller {
  kind: "reader";
  organization: string;
  site: string;
  /** How often the audience of the site had been narrowed when the token was made; every later time ends the token. */
  epoch: number;
  /** The space at the address, and the revision of it that the address showed. */
  space: string;
  revision: string;
  /** The claims that are proved, and under `unsigned` those that are not. */
  claims?: Record<string, unknown>;
  /** Whether it was made for a preview of a site that is not published: it reads the space at the address alone. */
  preview?: true;
  /** Whether the site lets its visitors see where the space at the address is edited; absent in older tokens. */
  editLink?: true;
  /** Identifies the token; never the token itself. */
  token: string;
}

export type Caller = UserCaller | IntegrationCaller | ReaderCaller | ServiceCaller;

/**
 * Who shares a limited resource with others: a user, whatever their tokens, an installation of an integration, all
 * visitors of a site, a service.
 */
export function partyOf(caller: Caller): string {
  if (caller.kind === "user") return caller.id;
  if (caller.kind === "service") return caller.service;
  if (caller.kind === "reader") return `reader/${caller.site}`;
  return `${caller.integration}/${caller.installation ?? ""}`;
}

/** The caller's role in an organization: services are administrators everywhere, visitors of sites members nowhere. */
export function roleIn(caller: Caller, organization: string): Level {
  if (caller.kind === "service") return "admin";
  if (caller.kind === "reader") return undefined;
  if (caller.kind === "integration") {
    return caller.installation !== undefined && caller.organization === organization ? "read" : undefined;
  }
  return Object.hasOwn(caller.organizations, organization) ? caller.organizations[organization] : undefined;
}
