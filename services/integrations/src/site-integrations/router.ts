import { Integrations, ListOnSite, OneSite, Scripts } from "../space-integrations/schema.js";
import { get, router } from "../trpc.js";
import * as rules from "./rules.js";

const permission = "contentInstallation.view";

export const siteIntegrations = router({
  list: get("/orgs/{organizationId}/sites/{siteId}/integrations", {
    operationId: "listSiteIntegrations",
    permission,
    summary: "List the integrations at work on a site",
  })
    .input(ListOnSite)
    .output(Integrations)
    .query(rules.list),
  listIntegrationScripts: get("/orgs/{organizationId}/sites/{siteId}/integration-scripts", {
    operationId: "listSiteIntegrationScripts",
    permission,
    summary: "List the scripts that integrations put into the pages of a site",
  })
    .input(OneSite)
    .output(Scripts)
    .query(rules.listIntegrationScripts),
});
