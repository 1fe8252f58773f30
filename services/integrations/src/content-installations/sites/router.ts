import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, patch, post, router } from "../../trpc.js";
import {
  GetOnSite,
  InstallOnSite,
  List,
  ListOfIntegration,
  OnSite,
  SiteInstallation,
  SiteInstallations,
  UpdateOnSite,
} from "../schema.js";
import * as rules from "./rules.js";

const all = "/integrations/{integrationName}/installations/{installationId}/sites";
const one = "/integrations/{integrationName}/installations/{installationId}/sites/{siteId}";

const also = "The right is the role in the organization.";

export const installationSites = router({
  listOfIntegration: get("/integrations/{integrationName}/sites", {
    operationId: "listIntegrationSiteInstallations",
    permission: "organization.listInstallations",
    also: "Those in organizations where the caller may install are listed, and all to administrators of the integration and to itself.",
    summary: "List the sites that an integration is installed on by themselves",
    scope: "integration:installation:read",
  })
    .input(ListOfIntegration)
    .output(SiteInstallations)
    .query(rules.listOfIntegration),
  list: get(all, {
    operationId: "listIntegrationInstallationSites",
    permission: "contentInstallation.list",
    also: "The integration itself may as well.",
    summary: "List the sites that an installation is installed on by themselves",
    scope: "integration:installation:read",
  })
    .input(List)
    .output(SiteInstallations)
    .query(rules.list),
  install: post(all, {
    operationId: "installIntegrationOnSite",
    permission: "contentInstallation.admin",
    also,
    summary: "Install an integration on a site",
    query: ["extended"],
  })
    .input(InstallOnSite)
    .output(SiteInstallation)
    .mutation(rules.install),
  get: get(one, {
    operationId: "getIntegrationSiteInstallation",
    permission: "contentInstallation.view",
    also: "The right is the role in the organization. The integration itself may as well.",
    summary: "Get the installation of an integration on a site",
    scope: "integration:installation:read",
  })
    .input(GetOnSite)
    .output(SiteInstallation)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateIntegrationSiteInstallation",
    permission: "contentInstallation.admin",
    also: "The right is the role in the organization. The integration itself may as well.",
    summary: "Change the configuration of an integration on a site",
    query: ["extended"],
    scope: "integration:installation:update",
  })
    .input(UpdateOnSite)
    .output(SiteInstallation)
    .mutation(rules.update),
  uninstall: del(one, {
    operationId: "uninstallIntegrationFromSite",
    permission: "contentInstallation.admin",
    also,
    summary: "Uninstall an integration from a site",
  })
    .input(OnSite)
    .output(noContent)
    .mutation(removal(rules.uninstall)),
});
