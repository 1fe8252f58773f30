import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Latest, List, One, OpenAPISpecContent, OpenAPISpecVersion, OpenAPISpecVersions } from "./schema.js";

const all = "/orgs/{organizationId}/openapi/{specSlug}/versions";
const reading = { permission: "openAPISpec.view", scope: "openapi:read" } as const;

export const openapiVersions = router({
  list: get(all, {
    ...reading,
    operationId: "listOpenAPISpecVersions",
    summary: "List the versions of an OpenAPI specification, the latest first",
  })
    .input(List)
    .output(OpenAPISpecVersions)
    .query(rules.list),
  getLatest: get(`${all}/latest`, {
    ...reading,
    operationId: "getLatestOpenAPISpecVersion",
    summary: "Get the latest version of an OpenAPI specification",
  })
    .input(Latest)
    .output(OpenAPISpecVersion)
    .query(rules.getLatest),
  getLatestContent: get(`${all}/latest/content`, {
    ...reading,
    operationId: "getLatestOpenAPISpecVersionContent",
    summary: "Get the document of the latest version of an OpenAPI specification",
    reader: true,
  })
    .input(Latest)
    .output(skipOutputValidation(OpenAPISpecContent))
    .query(rules.getLatestContent),
  get: get(`${all}/{versionId}`, {
    ...reading,
    operationId: "getOpenAPISpecVersionById",
    summary: "Get a version of an OpenAPI specification",
  })
    .input(One)
    .output(OpenAPISpecVersion)
    .query(rules.get),
  getContent: get(`${all}/{versionId}/content`, {
    ...reading,
    operationId: "getOpenAPISpecVersionContentById",
    summary: "Get the document of a version of an OpenAPI specification",
    reader: true,
  })
    .input(One)
    .output(skipOutputValidation(OpenAPISpecContent))
    .query(rules.getContent),
});
