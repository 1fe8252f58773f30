import { listOf, noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, patch, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Install, Installation, List, One, Update } from "./schema.js";

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
  install: post("/integrations/{integrationName}/installations", {
    operationId: "installIntegration",
    permission: "organization.installIntegration",
    also: "One that is private is installed in its own organization alone.",
    summary: "Install an integration in an organization",
  })
    .input(Install)
    .output(Installation)
    .mutation(rules.install),
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
    summary: "Change the configuration of an installation, or what it is installed on",
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
