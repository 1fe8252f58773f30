import { ANYBODY } from "@octavo/shared/rest/permission";
import { get, internal, patch, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import {
  Create,
  Get,
  List,
  ListOfDomain,
  Lookup,
  OfDomain,
  Organizations,
  organization,
  Update,
} from "./schema.js";

export const organizations = router({
  list: get("/orgs", {
    operationId: "listOrganizationsForAuthenticatedUser",
    permission: ANYBODY,
    summary: "List the organizations you are a member of",
  })
    .input(List)
    .output(Organizations)
    .query(rules.list),
  create: post("/orgs", {
    operationId: "createOrganization",
    permission: ANYBODY,
    summary: "Create an organization, with you as its administrator",
  })
    .input(Create)
    .output(organization)
    .mutation(rules.create),
  get: get("/orgs/{organizationId}", {
    operationId: "getOrganizationById",
    permission: "organization.view",
    summary: "Get an organization",
    scope: "integration:read",
  })
    .input(Get)
    .output(organization)
    .query(rules.get),
  update: patch("/orgs/{organizationId}", {
    operationId: "updateOrganizationById",
    permission: "organization.admin",
    summary: "Change the settings of an organization",
  })
    .input(Update)
    .output(organization)
    .mutation(rules.update),
  listOfDomain: get("/email-domains/{emailDomain}/orgs", {
    operationId: "getOrganizationsForEmailDomain",
    permission: ANYBODY,
    summary: "List the organizations that people of an e-mail domain may join",
  })
    .input(ListOfDomain)
    .output(OfDomain)
    .query(rules.listOfDomain),
  lookup: internal({ services: ["content", "integrations"], permission: ANYBODY })
    .meta({ scope: "integration:read" })
    .input(Lookup)
    .output(organization.array())
    .query(rules.lookup),
});
