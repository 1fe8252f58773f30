import { createGuards } from "@octavo/shared/access";
import { ORGANIZATION_PERMISSIONS, type Permissions } from "@octavo/shared/contracts/permissions";

/**
 * What each action takes: guards and the flags in `permissions` of responses are read from here, and operations name
 * theirs in the router. The role is the one in the organization.
 */
export const PERMISSIONS = {
  ...ORGANIZATION_PERMISSIONS,
  /** Who is in the team sees it, too. */
  "team.view": "read",
  /** Also of who owns the team. */
  "team.admin": "admin",
} as const satisfies Permissions;

export type Action = keyof typeof PERMISSIONS;

/**
 * Flags that the interface has for operations that are not there yet, and so guard nothing: `ingestConversations` will
 * guard the intake of conversations, `viewBilling` what an organization pays, which here is nothing.
 */
export const PLANNED_PERMISSIONS = {
  "organization.ingestConversations": "create",
  "organization.viewBilling": "admin",
} as const satisfies Permissions;

export const { allow, allowIn, permits, flagsOf } = createGuards(PERMISSIONS);
export const plannedFlagsOf = createGuards(PLANNED_PERMISSIONS).flagsOf;
