import { actionsByRole } from "@octavo/shared/testing/roles";
import { expect, test } from "vitest";
import { PERMISSIONS, permits } from "./permissions.js";

test("each role lets do what those below it do, and this", () => {
  expect(actionsByRole(permits, PERMISSIONS)).toEqual({
    guest: ["organization.view"],
    read: [
      "organization.listMembers",
      "organization.listTeams",
      "organization.listIntegrations",
      "organization.listInstallations",
      "installation.view",
      "contentInstallation.view",
    ],
    create: [
      "organization.createContent",
      "organization.createOpenAPISpec",
      "organization.installIntegration",
      "integration.admin",
      "installation.admin",
      "contentInstallation.list",
      "contentInstallation.admin",
      "event.view",
    ],
    admin: ["organization.admin", "webhook.admin"],
  });
});
