import type { Role } from "./roles.js";

/** What an action takes: at least this role; `guest` is any membership of the organization. */
export type Needed = Role | "guest";

/** The actions of a service by name, such as `space.merge`, and what each takes. */
export type Permissions = Readonly<Record<`${string}.${string}`, Needed>>;

/**
 * What each action in an organization takes, whichever service guards it. The names after the dot are also the flags in
 * `permissions` of an organization. `ownTeam` is not among them: it is the ownership of some team, and no role.
 * Source: the roles of the interface.
 */
export const ORGANIZATION_PERMISSIONS = {
  "organization.view": "guest",
  "organization.admin": "admin",
  "organization.createContent": "create",
  "organization.createOpenAPISpec": "create",
  "organization.listMembers": "read",
  "organization.listTeams": "read",
  /** Those that are private to the organization. */
  "organization.listIntegrations": "read",
  "organization.listInstallations": "read",
  "organization.installIntegration": "create",
} as const satisfies Permissions;
