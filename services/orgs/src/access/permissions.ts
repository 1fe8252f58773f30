import type { Role } from "@octavo/shared/contracts/roles";

/**
 * The role that each thing in an organization needs: what guards the operations, and what `permissions` shows. Two
 * flags are no matter of the role: `view` is any membership, `ownTeam` the ownership of some team.
 */
export const ORGANIZATION_PERMISSIONS = {
  admin: "admin",
  createContent: "create",
  createOpenAPISpec: "create",
  ingestConversations: "create",
  viewBilling: "admin",
  listMembers: "read",
  listTeams: "read",
  listIntegrations: "read",
  listInstallations: "read",
  installIntegration: "create",
} as const satisfies Record<string, Role>;
