import type { AnyRouter } from "@trpc/server";
import { generateOpenApiDocument, type OpenAPIObject } from "trpc-to-openapi";
import { SMALL_BODY } from "./body.js";
import { type Deprecation, describeDeprecation } from "./deprecation.js";
import { ERROR_SCHEMAS, ERRORS, REFUSALS } from "./openapi-errors.js";
import { describeRaw } from "./openapi-raw.js";
import { type Json, tidy } from "./openapi-schemas.js";
import type { Permission } from "./permission.js";
import { type Operation, operationsOf, type RawDeclaration } from "./routes.js";

interface OperationObject {
  operationId: string;
  tags?: string[];
  parameters?: Json[];
  requestBody?: { description?: string; content: Record<string, { schema: Json }>; required?: boolean };
  responses: Record<string, Json>;
  description?: string;
  "x-octavo-permission"?: Permission;
  "x-octavo-deprecation"?: Deprecation;
}
type Schemas = Record<string, Json>;

/**
 * The OpenAPI 3.1 document of a router. trpc-to-openapi writes it; what it cannot say is put right here: the success
 * status, our errors, query parameters of requests with a body, names for request bodies.
 */
export function openApiDocument(
  router: AnyRouter,
  { title, version, rawRoutes = [] }: { title: string; version: string; rawRoutes?: RawDeclaration[] },
): OpenAPIObject {
  const written = generateOpenApiDocument(router, {
    title,
    version,
    baseUrl: "/v1",
    openApiVersion: "3.1.0",
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
  });
  const { components, paths, ...document } = tidy(written);
  const schemas: Schemas = { ...(components?.schemas as Schemas), ...ERROR_SCHEMAS };
  for (const name of Object.keys(schemas)) if (name.startsWith("error.")) delete schemas[name];
  for (const operation of operationsOf(router)) {
    const item = paths![operation.path.replace("*}", "}")] as Record<string, OperationObject>;
    correct(item[operation.method.toLowerCase()]!, operation, schemas);
  }
  for (const raw of rawRoutes) {
    const path = raw.path.replace("*}", "}");
    paths![path] = { ...paths![path], [raw.method.toLowerCase()]: describeRaw(raw) };
  }
  return {
    ...document,
    paths,
    components: { ...components, schemas, responses: REFUSALS } as OpenAPIObject["components"],
  };
}

function correct(described: OperationObject, operation: Operation, schemas: Schemas) {
  const { content } = described.responses["200"]!;
  if (operation.permission) described["x-octavo-permission"] = operation.permission;
  const { deprecated } = operation;
  if (deprecated) {
    described["x-octavo-deprecation"] = deprecated;
    described.description = [described.description, describeDeprecation(deprecated)]
      .filter(Boolean)
      .join(" ");
  }
  described.tags ??= [operation.name.split(".")[0]!];
  described.responses = {
    [operation.status]:
      operation.status === 204 || operation.empty
        ? { description: "Done" }
        : { description: "Success", content },
    ...ERRORS,
  };
  const body = described.requestBody?.content["application/json"];
  if (!body) return;
  moveToQuery(described, operation.query, body.schema);
  if (Object.keys(body.schema.properties as Json).length === 0) delete described.requestBody;
  else nameBody(described, body, schemas);
  if (described.requestBody && operation.maxBody !== SMALL_BODY)
    described.requestBody.description = `At most ${operation.maxBody} bytes.`;
}

/** trpc-to-openapi writes every field into the body that is not in the path. */
function moveToQuery(described: OperationObject, names: string[], body: Json) {
  const properties = body.properties as Record<string, Json>;
  const required = (body.required as string[] | undefined) ?? [];
  for (const name of names) {
    const parameter = { name, in: "query", schema: properties[name]! };
    described.parameters ??= [];
    described.parameters.push(required.includes(name) ? { ...parameter, required: true } : parameter);
    delete properties[name];
  }
  const left = required.filter((name) => name in properties);
  if (left.length > 0) body.required = left;
  else delete body.required;
}

function nameBody(described: OperationObject, body: { schema: Json }, schemas: Schemas) {
  const name = `${pascalCase(described.operationId)}Body`;
  schemas[name] = body.schema;
  described.requestBody!.required = "required" in body.schema;
  body.schema = { $ref: `#/components/schemas/${name}` };
}

const pascalCase = (name: string) =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
