import { createGuards } from "@octavo/shared/access";
import { ORGANIZATION_PERMISSIONS, type Permissions } from "@octavo/shared/contracts/permissions";

/**
 * What each action takes: guards and the flags in `permissions` of responses are read from here, and operations name
 * theirs in the router. The role is the one in the organization that publishes the integration, or installed it.
 */
export const PERMISSIONS = {
  ...ORGANIZATION_PERMISSIONS,
  "integration.admin": "create",
  /** Also of who administers the integration, and of the integration itself. */
  "installation.view": "read",
  "installation.admin": "create",
  /** Of the installations on single spaces and sites; also of the integration itself. */
  "contentInstallation.list": "create",
  /** On one space: what the caller may do with that space. Also of the integration itself. */
  "contentInstallation.view": "read",
  "contentInstallation.admin": "create",
  /** Also of who administers the integration, and of the integration itself. */
  "event.view": "create",
  /** A webhook receives all events of the organization. */
  "webhook.admin": "admin",
} as const satisfies Permissions;

export type Action = keyof typeof PERMISSIONS;

export const { allow, allowIn, permits, roleFor, flagsOf } = createGuards(PERMISSIONS);
