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
      "space.view",
      "space.access",
      "collection.view",
      "openAPISpec.view",
      "comment.view",
    ],
    comment: ["space.comment", "comment.edit", "comment.reply"],
    edit: ["space.edit"],
    review: ["space.merge", "space.review"],
    create: [
      "organization.createContent",
      "organization.createOpenAPISpec",
      "organization.installIntegration",
      "space.admin",
      "space.viewInviteLinks",
      "space.triggerGitSync",
      "collection.admin",
      "collection.viewInviteLinks",
      "collection.create",
      "openAPISpec.edit",
      "storage.upload",
      "comment.delete",
    ],
    admin: ["organization.admin", "translation.view", "translation.edit"],
  });
});

test("flags of planned features depend on the role as well", () => {
  expect(plannedFlagsOf("review", "space")).toEqual({ installIntegration: false });
  expect(plannedFlagsOf("create", "space")).toEqual({ installIntegration: true });
});
