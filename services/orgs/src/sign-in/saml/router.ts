import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Create, Get, List, LoginList, Logins, Provider, Providers, Update } from "./schema.js";

export const saml = router({
  list: get("/orgs/{organizationId}/saml", {
    operationId: "listSAMLProvidersInOrganizationById",
    permission: "organization.admin",
    summary: "List the SAML providers of an organization",
  })
    .input(List)
    .output(Providers)
    .query(rules.list),
  create: post("/orgs/{organizationId}/saml", {
    operationId: "createOrganizationSAMLProvider",
    permission: "organization.admin",
    summary: "Connect an organization to a SAML identity provider",
  })
    .input(Create)
    .output(Provider)
    .mutation(rules.create),
  get: get("/orgs/{organizationId}/saml/{samlProviderId}", {
    operationId: "getOrganizationSAMLProviderById",
    permission: "organization.admin",
    summary: "Get a SAML provider of an organization",
  })
    .input(Get)
    .output(Provider)
    .query(rules.get),
  update: patch("/orgs/{organizationId}/saml/{samlProviderId}", {
    operationId: "updateOrganizationSAMLProvider",
    permission: "organization.admin",
    summary: "Change a SAML provider of an organization",
  })
    .input(Update)
    .output(Provider)
    .mutation(rules.update),
  remove: del("/orgs/{organizationId}/saml/{samlProviderId}", {
    operationId: "deleteOrganizationSAMLProvider",
    permission: "organization.admin",
    summary: "Delete a SAML provider of an organization",
  })
    .input(Get)
    .output(noContent)
    .mutation(rules.remove),
  listSsoLogins: get("/orgs/{organizationId}/sso", {
    operationId: "listSSOProviderLoginsInOrganization",
    permission: "organization.view",
    summary: "List the identity providers of an organization, and where to sign in with each",
    scope: "integration:read",
  })
    .input(Logins)
    .output(LoginList)
    .query(rules.listSsoLogins),
});
