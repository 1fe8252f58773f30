import { actionsByRole } from "@octavo/shared/testing/roles";
import { expect, test } from "vitest";
import { PERMISSIONS, permits, plannedFlagsOf } from "./permissions.js";

test("each role lets do what those below it do, and this", () => {
  expect(actionsByRole(permits, PERMISSIONS)).toEqual({
    guest: ["organization.view"],
    read: [
      "organization.listMembers",
      "organization.listTeams",
      "organization.listIntegrations",
      "organization.listInstallations",
      "team.view",
    ],
    create: [
      "organization.createContent",
      "organization.createOpenAPISpec",
      "organization.installIntegration",
    ],
    admin: ["organization.admin", "team.admin"],
  });
});

test("flags of planned features depend on the role as well", () => {
  expect(plannedFlagsOf("review", "organization")).toEqual({
    ingestConversations: false,
    viewBilling: false,
  });
  expect(plannedFlagsOf("create", "organization")).toEqual({ ingestConversations: true, viewBilling: false });
  expect(plannedFlagsOf("admin", "organization")).toEqual({ ingestConversations: true, viewBilling: true });
});
