import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, patch, post, put, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Create, CreateOrUpdate, List, One, OpenAPISpec, OpenAPISpecs, Update } from "./schema.js";

const all = "/orgs/{organizationId}/openapi";
const one = `${all}/{specSlug}` as const;
/** A document in a body, with what JSON needs to write it down. */
const MOST_BODY = 16 * 1024 * 1024;

export const openapi = router({
  list: get(all, {
    operationId: "listOpenAPISpecs",
    permission: "openAPISpec.view",
    summary: "List the OpenAPI specifications of an organization",
    scope: "openapi:read",
  })
    .input(List)
    .output(OpenAPISpecs)
    .query(rules.list),
  create: post(all, {
    operationId: "createOpenAPISpec",
    permission: "organization.createOpenAPISpec",
    summary: "Create an OpenAPI specification from an address or a text",
    maxBody: MOST_BODY,
    admit: rules.admitSource,
  })
    .input(Create)
    .output(OpenAPISpec)
    .mutation(rules.create),
  get: get(one, {
    operationId: "getOpenAPISpecBySlug",
    permission: "openAPISpec.view",
    summary: "Get an OpenAPI specification, and how its latest processing went",
    scope: "openapi:read",
  })
    .input(One)
    .output(OpenAPISpec)
    .query(rules.get),
  createOrUpdate: put(one, {
    operationId: "createOrUpdateOpenAPISpecBySlug",
    permission: "organization.createOpenAPISpec",
    summary: "Give an OpenAPI specification a source, and create it when there is none of the name",
    maxBody: MOST_BODY,
    admit: rules.admitSource,
  })
    .input(CreateOrUpdate)
    .output(OpenAPISpec)
    .mutation(rules.createOrUpdate),
  update: patch(one, {
    operationId: "updateOpenAPISpecBySlug",
    permission: "openAPISpec.edit",
    summary: "Make an OpenAPI specification public or private",
  })
    .input(Update)
    .output(OpenAPISpec)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteOpenAPISpecBySlug",
    permission: "openAPISpec.edit",
    summary: "Delete an OpenAPI specification with all of its versions",
  })
    .input(One)
    .output(noContent)
    .mutation(removal(rules.remove)),
});
