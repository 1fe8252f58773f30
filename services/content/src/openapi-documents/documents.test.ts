import { expect, test } from "vitest";
import type { SourceFile } from "./bundle.js";
import { parseText } from "./parse.js";
import { referencesIn } from "./references.js";
import { read } from "./tasks.js";
import { asVersion3 } from "./upgrade.js";
import { refuseInvalid } from "./validate.js";

const file = (url: string, content: unknown): SourceFile => ({
  url,
  base: url,
  text: typeof content === "string" ? content : JSON.stringify(content),
});
const info = { title: "Pets", version: "1" };

async function documentOf(...files: SourceFile[]) {
  const reading = await read({ files });
  if (!("document" in reading)) throw new Error(JSON.stringify(reading));
  return JSON.parse(reading.document);
}

const problemsOf = async (content: unknown) => {
  const reading = await read({ files: [file("", content)] });
  return "problems" in reading ? reading.problems : [];
};

test.each([
  ["2.0", { swagger: "2.0", info, paths: {} }],
  ["3.0", { openapi: "3.0.3", info, paths: {} }],
  ["3.1", { openapi: "3.1.0", info, paths: {} }],
  ["3.2", { openapi: "3.2.0", info, paths: {} }],
])("a document of version %s is read, as JSON or as YAML", async (_, document) => {
  expect(await documentOf(file("", document))).toEqual(document);
  const version = "swagger" in document ? "swagger: '2.0'" : `openapi: ${document.openapi}`;
  const yaml = `\uFEFF# pets\n${version}\ninfo: {title: Pets, version: "1"}\npaths: {}\n`;
  expect(await documentOf(file("", yaml))).toEqual(document);
});

test("a document of version 2 becomes a valid one of version 3, with its bodies, forms, addresses and schemas", async () => {
  const $ref = "#/definitions/Pet";
  const ok = { description: "Done" };
  const document = {
    swagger: "2.0",
    info,
    host: "api.example",
    basePath: "/v1",
    schemes: ["https"],
    consumes: ["application/json"],
    produces: ["application/json", "application/xml"],
    securityDefinitions: {
      basic: { type: "basic" },
      code: {
        type: "oauth2",
        flow: "accessCode",
        scopes: { read: "Reads" },
        authorizationUrl: "https://a.example/a",
        tokenUrl: "https://a.example/t",
      },
    },
    parameters: {
      most: { name: "most", in: "query", type: "integer", maximum: 10 },
      pet: { name: "pet", in: "body", required: true, schema: { $ref } },
      photo: { name: "photo", in: "formData", type: "file" },
    },
    responses: { gone: { description: "Gone", schema: { $ref } } },
    definitions: {
      Pet: {
        type: "object",
        discriminator: "kind",
        required: ["kind"],
        properties: {
          kind: { type: "string", "x-nullable": true, example: { discriminator: "no schema" } },
          friend: { $ref },
          discriminator: { type: "string" },
        },
      },
    },
    paths: {
      "/pets/{id}": {
        parameters: [
          { name: "id", in: "path", required: true, type: "string" },
          { $ref: "#/parameters/pet" },
        ],
        get: {
          parameters: [
            { $ref: "#/parameters/most" },
            {
              name: "tags",
              in: "query",
              type: "array",
              items: { type: "string" },
              collectionFormat: "multi",
            },
          ],
          responses: {
            200: { ...ok, schema: { type: "array", items: { $ref } } },
            404: { $ref: "#/responses/gone" },
          },
        },
        put: { responses: { 200: ok } },
        post: { parameters: [{ $ref: "#/parameters/pet" }], responses: { 200: ok } },
      },
      "/photos": {
        post: {
          consumes: ["multipart/form-data"],
          parameters: [{ $ref: "#/parameters/photo" }, { name: "title", in: "formData", type: "string" }],
          responses: { default: ok },
        },
      },
    },
  };
  const kept = await documentOf(file("", document));
  expect(kept).toEqual(document);
  const upgraded = asVersion3(kept);
  await refuseInvalid(upgraded);
  const json = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
  expect(upgraded).toMatchObject({
    openapi: expect.stringMatching(/^3\.0\./),
    servers: [{ url: "https://api.example/v1" }],
    paths: {
      "/pets/{id}": {
        get: { responses: { 200: { content: { "application/xml": { schema: { type: "array" } } } } } },
        put: { requestBody: { required: true, content: json } },
        post: { requestBody: { required: true, content: json } },
      },
      "/photos": {
        post: {
          requestBody: {
            content: {
              "multipart/form-data": {
                schema: {
                  properties: { photo: { type: "string", format: "binary" }, title: { type: "string" } },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: {
          discriminator: { propertyName: "kind" },
          properties: {
            kind: { nullable: true, example: { discriminator: "no schema" } },
            discriminator: { type: "string" },
          },
        },
      },
      securitySchemes: { basic: { type: "http", scheme: "basic" }, code: { type: "oauth2" } },
    },
  });
  expect(JSON.stringify(upgraded)).not.toMatch(/#\/(definitions|parameters|responses)\//);
});

test("a document of version 3 is converted to nothing", async () => {
  const document = { openapi: "3.0.3", info, paths: {} };
  expect(asVersion3(document)).toEqual(document);
});

test("a document that is no OpenAPI is reported with the place of the mistake", async () => {
  expect(await problemsOf("a: b: c")).toMatchObject([{ code: "yaml-parse" }]);
  expect(await problemsOf("[1]")).toMatchObject([
    { code: "yaml-parse", message: "The document is not an object" },
  ]);
  expect(await problemsOf("")).toMatchObject([{ code: "yaml-parse" }]);
  for (const version of [{}, { openapi: "4.0.0" }, { openapi: 3 }, { swagger: "1.2" }])
    expect(await problemsOf({ ...version, info, paths: {} })).toMatchObject([{ code: "invalid" }]);
  const [problem] = await problemsOf({
    openapi: "3.0.3",
    info,
    paths: { "/pets": { get: { responses: { 200: { summary: "No description" } } } } },
  });
  expect(problem).toMatchObject({ code: "invalid" });
  expect(problem!.message).toContain("/paths/~1pets/get/responses/200");
});

test("aliases of YAML that multiply, hold themselves or nest without end are refused", async () => {
  const bomb = Array.from({ length: 20 }, (_, at) => `a${at}: &a${at} [${`*a${at - 1},`.repeat(10)}]`);
  const yaml = `openapi: 3.0.3\na: &a-1 [1]\n${bomb.join("\n")}\n`;
  expect(await problemsOf(yaml)).toMatchObject([{ code: "too-large" }]);
  expect(await problemsOf("openapi: 3.0.3\nx-a: &a {b: *a}\n")).toMatchObject([{ code: "yaml-parse" }]);
  const deep = `{"openapi":"3.0.3","x-a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  expect(await problemsOf(deep)).toMatchObject([{ code: "too-large" }]);
});

test("an alias may be used as often as a document likes, and merged", async () => {
  const uses = Array.from({ length: 300 }, (_, at) => `x-${at}: {<<: *a, at: ${at}}`).join("\n");
  const yaml = `openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\nx-a: &a {b: 1}\n${uses}\n`;
  expect((await documentOf(file("", yaml)))["x-299"]).toEqual({ b: 1, at: 299 });
});

test("YAML with tags of its own, directives, or keys that are no texts is read all the same", async () => {
  const head = 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\n';
  expect(await documentOf(file("", `${head}x-a: !own b\n`))).toMatchObject({ "x-a": "b" });
  expect(await documentOf(file("", `%YAML 1.2\n---\n${head}x-a: 0o17\n`))).toMatchObject({ "x-a": 15 });
  expect(await documentOf(file("", `${head}x-a: {? [1] : b, 2: c}\n`))).toMatchObject({ "x-a": { 2: "c" } });
  expect(await problemsOf(`${head}x-a: 1\nx-a: 2\n`)).toMatchObject([
    { code: "yaml-parse", message: expect.stringContaining("line 5") },
  ]);
});

test("files that a document refers to are requested, and end up in the one document", async () => {
  const entry = file("https://api.example/v1/openapi.yaml", {
    openapi: "3.0.3",
    info,
    paths: { "/pets": { $ref: "paths/pets.yaml" }, "/cats": { $ref: "paths/pets.yaml#/x-cats" } },
    components: { schemas: { Error: { type: "object" } } },
  });
  expect(await read({ files: [entry] })).toEqual({ missing: ["https://api.example/v1/paths/pets.yaml"] });
  const operation = { get: { responses: { default: { description: "Any", $ref: undefined } } } };
  const pets = file("https://api.example/v1/paths/pets.yaml", {
    ...operation,
    "x-cats": { $ref: "#/x-own" },
    "x-own": { post: { requestBody: { $ref: "../bodies.json#/Pet" }, responses: operation.get.responses } },
  });
  expect(await read({ files: [entry, pets] })).toEqual({ missing: ["https://api.example/v1/bodies.json"] });
  const bodies = file("https://api.example/v1/bodies.json", {
    Pet: { content: { "application/json": { schema: { $ref: "openapi.yaml#/components/schemas/Error" } } } },
  });
  const document = await documentOf(entry, pets, bodies);
  expect(document.paths).toEqual({ "/pets": { $ref: "#/x-ext/1" }, "/cats": { $ref: "#/x-ext/1/x-cats" } });
  expect(document["x-ext"]["1"]["x-cats"]).toEqual({ $ref: "#/x-ext/1/x-own" });
  expect(document["x-ext"]["1"]["x-own"].post.requestBody).toEqual({ $ref: "#/x-ext/2/Pet" });
  expect(document["x-ext"]["2"].Pet.content["application/json"].schema).toEqual({
    $ref: "#/components/schemas/Error",
  });
});

test("schemas and files that refer to each other in a circle are read", async () => {
  const node = { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } };
  const schemas = { Node: node, Far: { $ref: "https://api.example/far.json#/Far" } };
  const entry = file("https://api.example/openapi.json", {
    openapi: "3.0.3",
    info,
    paths: {},
    components: { schemas },
  });
  const far = file("https://api.example/far.json", {
    Far: { type: "object", properties: { node: { $ref: "openapi.json#/components/schemas/Far" } } },
  });
  const document = await documentOf(entry, far);
  expect(document.components.schemas).toEqual({ Node: node, Far: { $ref: "#/x-ext/1/Far" } });
  expect(document["x-ext"]["1"].Far.properties.node).toEqual({ $ref: "#/components/schemas/Far" });
});

test("a reference that leads nowhere, to itself, or to a file that cannot be read is reported", async () => {
  const to = (reference: string) => ({
    openapi: "3.0.3",
    info,
    paths: {},
    components: { schemas: { A: { $ref: reference } } },
  });
  for (const reference of [
    "#/components/schemas/B",
    "#/components/schemas/A",
    "pet.yaml",
    "file:///etc/passwd",
  ])
    expect(await problemsOf(to(reference))).toMatchObject([{ code: "dereference" }]);
});

test("examples are data: what looks like a reference there is none", () => {
  const example = { $ref: "nowhere.json" };
  const document = parseText(
    JSON.stringify({
      paths: {
        "/pets": {
          get: {
            responses: { 200: { content: { json: { example, examples: { a: { value: example } } } } } },
          },
        },
      },
      components: {
        schemas: {
          Pet: {
            default: example,
            enum: [example],
            examples: [example],
            properties: { example: { $ref: "#/a" }, $ref: {} },
          },
          Any: { discriminator: { propertyName: "kind", mapping: { cat: "cat.yaml", dog: "Dog" } } },
        },
      },
    }),
  );
  expect(referencesIn(document).map(({ to }) => to)).toEqual(["#/a", "cat.yaml"]);
});

test("a name of a document's own is a name, whatever it is", async () => {
  const text = `{"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"paths":{},"x-a":{"__proto__":{"polluted":1},"constructor":2}}`;
  const reading = await read({ files: [file("", text)] });
  expect("document" in reading && reading.document).toContain('"__proto__":{"polluted":1}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
