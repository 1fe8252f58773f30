import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { ANYBODY } from "@octavo/shared/rest/permission";
import { del, get, post, router } from "../trpc.js";
import { admitPublisher, publish } from "./rules/publish.js";
import * as rules from "./rules.js";
import {
  Integration,
  Integrations,
  List,
  ListInOrganization,
  Named,
  PUBLISH_BYTES,
  Publish,
} from "./schema.js";

export const integrations = router({
  list: get("/integrations", {
    operationId: "listIntegrations",
    permission: ANYBODY,
    summary: "List the integrations that any organization may install",
    scope: "integration:read",
  })
    .input(List)
    .output(Integrations)
    .query(rules.list),
  listInOrganization: get("/orgs/{organizationId}/integrations", {
    operationId: "listOrganizationIntegrations",
    permission: "organization.listIntegrations",
    summary: "List the integrations that an organization may install, its own among them",
  })
    .input(ListInOrganization)
    .output(Integrations)
    .query(rules.listInOrganization),
  get: get("/integrations/{integrationName}", {
    operationId: "getIntegrationByName",
    permission: "organization.listIntegrations",
    also: "A public integration is shown to everybody.",
    summary: "Get an integration",
    scope: "integration:read",
  })
    .input(Named)
    .output(Integration)
    .query(rules.get),
  publish: post("/integrations/{integrationName}", {
    operationId: "publishIntegration",
    permission: "integration.admin",
    summary: "Publish an integration, or a new version of it",
    status: 200,
    maxBody: PUBLISH_BYTES,
    admit: admitPublisher,
  })
    .input(Publish)
    .output(Integration)
    .mutation(publish),
  unpublish: del("/integrations/{integrationName}", {
    operationId: "unpublishIntegration",
    permission: "integration.admin",
    summary: "Withdraw an integration, and uninstall it everywhere",
  })
    .input(Named)
    .output(noContent)
    .mutation(removal(rules.unpublish)),
});
