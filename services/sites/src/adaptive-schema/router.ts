import { OneSite } from "../access/schema.js";
import { get, put, router } from "../trpc.js";
import * as rules from "./rules.js";
import { SiteAdaptiveSchema, TemplateConditions, Update } from "./schema.js";

const schema = "/orgs/{organizationId}/sites/{siteId}/adaptive-schema" as const;

export const adaptiveSchema = router({
  get: get(schema, {
    operationId: "getSiteAdaptiveSchema",
    permission: "site.view",
    summary: "Get which claims visitors of a site may make",
    scope: "site:adaptive:read",
  })
    .input(OneSite)
    .output(SiteAdaptiveSchema)
    .query(rules.get),
  update: put(schema, {
    operationId: "updateSiteAdaptiveSchema",
    permission: "site.manageClaims",
    also: "And `space.admin` on every space that the site shows.",
    summary: "Replace which claims visitors of a site may make",
  })
    .input(Update)
    .output(SiteAdaptiveSchema)
    .mutation(rules.update),
  listTemplateConditions: get(`${schema}/template-conditions`, {
    operationId: "listSiteAdaptiveTemplateConditions",
    permission: "site.view",
    summary: "List conditions that the claims of a site suggest",
    scope: "site:adaptive:read",
  })
    .input(OneSite)
    .output(TemplateConditions)
    .query(rules.listTemplateConditions),
});
