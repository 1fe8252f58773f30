import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demo, rawRoutes } from "../testing/demo.js";
import { startDemo } from "../testing/demo-server.js";
import { openApiDocument } from "./openapi.js";
import { operationsOf } from "./routes.js";

const METHODS = ["get", "post", "patch", "put", "delete"] as const;
interface Described {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const document = openApiDocument(demo, { title: "Demo", version: "1.2.3" });
const schemas = document.components!.schemas as Record<string, Record<string, object>>;
const described = (method: string, path: string) =>
  (document.paths![path] as unknown as Record<string, Described>)[method]!;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

let server: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  server = await startDemo();
});
afterAll(() => server.close());

test("the document is valid OpenAPI 3.1, and all of its references lead somewhere", async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/v1" }] });
  for (const [, kind, name] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    expect((document.components as Record<string, object>)[kind!], name).toHaveProperty([name!]);
  }
});

test("every operation of the router is in the document, with its status", () => {
  const declared = operationsOf(demo).map(
    ({ method, path, status }) => `${method} ${path.replace("*}", "}")} ${status}`,
  );
  const written = Object.keys(document.paths!).flatMap((path) =>
    METHODS.filter((method) => described(method, path)).map(
      (method) => `${method.toUpperCase()} ${path} ${Object.keys(described(method, path).responses)[0]}`,
    ),
  );
  expect(written.sort()).toEqual(declared.sort());
  expect(written).toContain("POST /things 201");
  expect(written).toContain("DELETE /things/{thingId} 204");
  expect(written).toContain("GET /things/{thingId}/files/{filePath} 200");
});

test("every operation of the document is served", async () => {
  for (const path of Object.keys(document.paths!)) {
    const { status, headers } = await server.send("OPTIONS", `/v1${path.replaceAll(/\{\w+\}/g, "x")}`);
    expect([status, path]).toEqual([204, path]);
    for (const method of METHODS.filter((method) => described(method, path))) {
      expect(headers.allow!.split(", "), path).toContain(method.toUpperCase());
    }
  }
});

test("what tRPC alone serves is not in the document", () => {
  expect(JSON.stringify(document)).not.toMatch(/whoami|sweep/);
});

test("operations are called as declared, else after their procedure", () => {
  expect(described("get", "/things/latest").operationId).toBe("getLatestThing");
  expect(described("get", "/things").operationId).toBe("things-list");
});

test("operations carry the summary of their declaration", () => {
  expect(described("get", "/things/latest").summary).toBe("Get the latest thing");
});

test("a list is named after what it lists", () => {
  const listed = described("get", "/things").responses["200"]!.content!["application/json"]!.schema;
  expect(listed).toEqual(ref("ThingList"));
  expect(schemas.ThingList!.properties).toMatchObject({ items: { items: ref("Thing") } });
});

test("a 204 has no content, other successes refer to named schemas, recursive ones too", () => {
  expect(described("delete", "/things/{thingId}").responses["204"]).toEqual({ description: "Done" });
  const created = described("post", "/trees").responses["201"]!.content!["application/json"]!.schema;
  expect(created).toEqual(ref("Tree"));
  expect(schemas.Tree!.properties).toMatchObject({ children: { items: ref("Tree") } });
});

test("a schema that is read and written is named once", () => {
  expect(Object.keys(schemas).filter((name) => name.endsWith("Output"))).toEqual([]);
});

test("nothing is promised about fields to come, nor about the size of integers", () => {
  expect(JSON.stringify(document)).not.toMatch(/"additionalProperties":false|9007199254740991/);
});

test("request bodies are named, required when a field of theirs is, and absent without fields", () => {
  const { requestBody } = described("post", "/trees");
  expect(requestBody!.required).toBe(true);
  expect(requestBody!.content["application/json"]!.schema).toEqual(ref("TreesCreateBody"));
  expect(schemas.TreesCreateBody).toMatchObject({ required: ["tree"], properties: { tree: ref("Tree") } });
  expect(described("post", "/things").requestBody!.required).toBe(false);
  expect(described("post", "/things/{thingId}/publish")).not.toHaveProperty("requestBody");
});

test("fields that a POST takes from the query are parameters, not part of its body", () => {
  const { parameters } = described("post", "/things");
  expect(parameters).toEqual([{ name: "dryRun", in: "query", schema: { type: "boolean", default: false } }]);
  expect(schemas.ThingsCreateBody!.properties).not.toHaveProperty("dryRun");
  expect(schemas.ThingsCreateBody!.properties).toHaveProperty("title");
});

test("path parameters are required and have their type", () => {
  expect(described("get", "/things/{thingId}/versions/{versionNumber}").parameters).toMatchObject([
    { name: "thingId", in: "path", required: true, schema: { type: "string" } },
    { name: "versionNumber", in: "path", required: true, schema: { type: "integer" } },
  ]);
});

test("every operation can be refused in our shape of an error", () => {
  const { responses } = described("get", "/things");
  expect(Object.keys(responses)).toEqual(["200", "400", "401", "403", "404", "429", "default"]);
  expect(document.components!.responses).toMatchObject({
    NotFound: {
      content: {
        "application/json": { schema: ref("Error") },
        "application/problem+json": { schema: ref("Problem") },
      },
    },
  });
});

test("the same router writes the same document again", () => {
  expect(openApiDocument(demo, { title: "Demo", version: "1.2.3" })).toEqual(document);
});

test("raw routes are described without a bearer, from their own declaration", () => {
  const { paths } = openApiDocument(demo, { title: "Demo", version: "1.2.3", rawRoutes });
  expect(paths!["/downloads/{name}"]!.get).toMatchObject({
    operationId: "download",
    security: [],
    parameters: [{ name: "name", in: "path", required: true }],
    responses: { 200: { content: { "text/plain": {} } }, 404: { $ref: "#/components/responses/NotFound" } },
  });
  expect(Object.keys(paths!["/forms"]!.post!.responses!)).toEqual(["303", "400", "404", "429", "default"]);
});

test("a body that may be larger or has to be smaller than others has its bound in the description", () => {
  const bodyOf = (method: string, path: string) =>
    described(method, path).requestBody as { description?: string } | undefined;
  expect(bodyOf("put", "/things/{thingId}/upload")?.description).toBe("At most 1048576 bytes.");
  expect(bodyOf("put", "/things/{thingId}")?.description).toBe("At most 100 bytes.");
  expect(bodyOf("post", "/things")).not.toHaveProperty("description");
});
