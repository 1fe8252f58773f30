import { listOf, noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, patch, post, router } from "../trpc.js";
import * as inOrganization from "./rules/in-organization.js";
import { install } from "./rules/install.js";
import * as rules from "./rules.js";
import {
  GetStatus,
  Install,
  Installation,
  InstalledIntegration,
  IntegrationStatus,
  List,
  ListInOrganization,
  One,
  OneStatus,
  Update,
} from "./schema.js";

export const installations = router({
  list: get("/integrations/{integrationName}/installations", {
    operationId: "listIntegrationInstallations",
    permission: "organization.listInstallations",
    also: "Who administers the integration may as well, and the integration itself.",
    summary: "List the installations of an integration",
    scope: "integration:installation:read",
  })
    .input(List)
    .output(listOf(Installation))
    .query(rules.list),
  listInOrganization: get("/orgs/{organizationId}/installations", {
    operationId: "listOrganizationInstallations",
    permission: "organization.listInstallations",
    summary: "List what is installed in an organization",
  })
    .input(ListInOrganization)
    .output(listOf(InstalledIntegration))
    .query(inOrganization.listInOrganization),
  listInstallationsStatus: get("/orgs/{organizationId}/integrations/installations-status", {
    operationId: "listOrganizationIntegrationsStatus",
    permission: "organization.listInstallations",
    summary: "List what is installed in an organization, and whether it is active",
  })
    .input(ListInOrganization)
    .output(listOf(IntegrationStatus))
    .query(inOrganization.listInstallationsStatus),
  getInstallationStatus: get("/orgs/{organizationId}/integrations/{integrationName}/installation_status", {
    operationId: "getOrganizationIntegrationStatus",
    permission: "organization.listInstallations",
    summary: "Get whether an integration is active in an organization",
  })
    .input(GetStatus)
    .output(OneStatus)
    .query(inOrganization.getInstallationStatus),
  install: post("/integrations/{integrationName}/installations", {
    operationId: "installIntegration",
    permission: "organization.installIntegration",
    also: "One that is private is installed in its own organization alone.",
    summary: "Install an integration in an organization",
  })
    .input(Install)
    .output(Installation)
    .mutation(install),
  get: get("/integrations/{integrationName}/installations/{installationId}", {
    operationId: "getIntegrationInstallationById",
    permission: "installation.view",
    also: "Who administers the integration may as well, and the integration itself.",
    summary: "Get an installation of an integration",
    scope: "integration:installation:read",
  })
    .input(One)
    .output(Installation)
    .query(rules.get),
  update: patch("/integrations/{integrationName}/installations/{installationId}", {
    operationId: "updateIntegrationInstallation",
    permission: "installation.admin",
    also: "The integration itself may as well, but for what it is installed on.",
    summary: "Change the configuration of an installation, or what it is installed on",
    scope: "integration:installation:update",
  })
    .input(Update)
    .output(Installation)
    .mutation(rules.update),
  uninstall: del("/integrations/{integrationName}/installations/{installationId}", {
    operationId: "uninstallIntegration",
    permission: "installation.admin",
    summary: "Uninstall an integration",
  })
    .input(One)
    .output(noContent)
    .mutation(removal(rules.uninstall)),
});
