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
      "site.view",
      "site.trackEvents",
      "font.view",
    ],
    edit: ["site.viewInsights"],
    create: [
      "organization.createContent",
      "organization.createOpenAPISpec",
      "organization.installIntegration",
      "site.create",
      "site.update",
      "site.delete",
      "site.publish",
      "site.addSpace",
      "site.manageAuth",
      "site.manageShareLinks",
      "site.manageClaims",
      "site.preview",
      "site.customize",
      "site.manageRedirects",
      "site.manageMcpServers",
      "site.manageAds",
      "font.manage",
    ],
    admin: ["organization.admin"],
  });
});
