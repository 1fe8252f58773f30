import { createGuards } from "@octavo/shared/access";
import { ORGANIZATION_PERMISSIONS, type Permissions } from "@octavo/shared/contracts/permissions";

/**
 * What each action takes: guards are called with its name, and operations name it in the router. The role is the one
 * in the organization of the site. What
 * shows spaces to more people takes the right to decide that about each of them as well (`access/standing.ts`).
 */
export const PERMISSIONS = {
  ...ORGANIZATION_PERMISSIONS,
  "site.view": "read",
  "site.create": "create",
  "site.update": "create",
  "site.delete": "create",
  "site.publish": "create",
  "site.addSpace": "create",
  "site.manageAuth": "create",
  "site.manageShareLinks": "create",
  "site.manageClaims": "create",
  "site.preview": "create",
  "site.customize": "create",
  "site.manageRedirects": "create",
  "site.manageMcpServers": "create",
  "site.manageAds": "create",
  "site.trackEvents": "read",
  "site.viewInsights": "edit",
  "font.view": "read",
  "font.manage": "create",
} as const satisfies Permissions;

export type Action = keyof typeof PERMISSIONS;

export const { allowIn, permits, refuseBelow } = createGuards(PERMISSIONS);
