import { get, internal, patch, post, router } from "../trpc.js";
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
  list: get("/orgs", { operationId: "listOrganizationsForAuthenticatedUser" })
    .input(List)
    .output(Organizations)
    .query(rules.list),
  create: post("/orgs", { operationId: "createOrganization" })
    .input(Create)
    .output(organization)
    .mutation(rules.create),
  get: get("/orgs/{organizationId}", { operationId: "getOrganizationById", scope: "integration:read" })
    .input(Get)
    .output(organization)
    .query(rules.get),
  update: patch("/orgs/{organizationId}", { operationId: "updateOrganizationById" })
    .input(Update)
    .output(organization)
    .mutation(rules.update),
  listOfDomain: get("/email-domains/{emailDomain}/orgs", { operationId: "getOrganizationsForEmailDomain" })
    .input(ListOfDomain)
    .output(OfDomain)
    .query(rules.listOfDomain),
  lookup: internal
    .meta({ scope: "integration:read" })
    .input(Lookup)
    .output(organization.array())
    .query(rules.lookup),
});
