import { expect, test } from "vitest";
import { compare } from "./compare.js";
import type { JsonObject } from "./json.js";

const found = (former: object, present: object) =>
  compare(former as JsonObject, present as JsonObject).items.map(({ kind, operation, at }) =>
    [kind, operation, at].filter(Boolean).join(" | "),
  );

const json = (schema: object) => ({ content: { "application/json": { schema } } });
/** A document whose only operation takes and returns these. */
const pets = (operation: object, schemas: object = {}) => ({
  openapi: "3.1.0",
  paths: { "/pets/{id}": { post: { responses: {}, ...operation } } },
  components: { schemas },
});
const sent = (schema: object, schemas?: object) => pets({ requestBody: json(schema) }, schemas);
const read = (schema: object, schemas?: object) => pets({ responses: { 200: json(schema) } }, schemas);

test("a removed operation is reported, not one whose path only renames its parameters", () => {
  const former = { paths: { "/pets/{id}": { get: {}, put: {} }, "/cats": { get: {} } } };
  const present = { paths: { "/pets/{petId}": { get: {} }, "/dogs": { get: {} } } };
  expect(found(former, present)).toEqual([
    "operation-removed | PUT /pets/{id}",
    "operation-removed | GET /cats",
  ]);
});

test("parameters: removed, required, of another type, with fewer values", () => {
  const parameter = (name: string, rest: object = {}) => ({
    name,
    in: "query",
    schema: { type: "string" },
    ...rest,
  });
  const former = pets({
    parameters: [
      parameter("gone"),
      parameter("asked"),
      parameter("typed"),
      { name: "id", in: "path", schema: {} },
      parameter("sort", { schema: { type: "string", enum: ["up", "down"] } }),
    ],
  });
  const present = pets({
    parameters: [
      parameter("asked", { required: true }),
      parameter("typed", { schema: { type: "integer" } }),
      parameter("sort", { schema: { type: "string", enum: ["up", "left"] } }),
      parameter("free"),
      parameter("added", { required: true }),
      { name: "id", in: "path", schema: {} },
    ],
  });
  expect(found(former, present)).toEqual(
    [
      ["parameter-removed", "query gone"],
      ["parameter-required", "query asked"],
      ["type-changed", "query typed"],
      ["values-narrowed", "query sort"],
      ["parameter-required", "query added"],
    ].map(([kind, at]) => `${kind} | POST /pets/{id} | ${at}`),
  );
});

test("what a client sends may not be refused: fields that are required or narrower", () => {
  const former = {
    type: "object",
    properties: { name: { type: "number" }, tag: { type: "string" }, old: {} },
  };
  const present = {
    type: "object",
    required: ["owner"],
    properties: { name: { type: "integer" }, tag: { type: "string", maxLength: 3 }, owner: {} },
  };
  expect(found(sent(former), sent(present))).toEqual(
    [
      ["type-changed", "body.name"],
      ["bounds-narrowed", "body.tag"],
      ["field-removed", "body.old"],
      ["field-required", "body.owner"],
    ].map(([kind, at]) => `${kind} | POST /pets/{id} | ${at}`),
  );
  expect(found(pets({}), pets({ requestBody: { ...json({}), required: true } }))).toEqual([
    "body-required | POST /pets/{id} | body",
  ]);
});

test("what a client reads may not be missing: responses, media types, fields, also behind references", () => {
  const Pet = { type: "object", required: ["id"], properties: { id: { type: "string" }, name: {} } };
  const list = { type: "array", items: { $ref: "#/components/schemas/Pet" } };
  const now = { type: "object", properties: { id: { type: ["string", "null"] } } };
  expect(found(read(list, { Pet }), read(list, { Pet: now }))).toEqual(
    [
      ["type-changed", "200[].id"],
      ["field-optional", "200[].id"],
      ["field-removed", "200[].name"],
    ].map(([kind, at]) => `${kind} | POST /pets/{id} | ${at}`),
  );
  expect(found(read(list, { Pet }), pets({ responses: { 201: json(list) } }))).toEqual([
    "response-removed | POST /pets/{id} | 200",
  ]);
  const xml = { responses: { 200: { content: { "application/xml": { schema: {} } } } } };
  expect(found(read({}), pets(xml))).toEqual(["media-type-removed | POST /pets/{id} | 200 application/json"]);
});

test("what only adds, or is written otherwise, breaks nothing", () => {
  const Pet = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
  const more = { type: "object", required: ["id", "name"], properties: { id: { type: "string" }, name: {} } };
  const parts = { allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { name: {} } }] };
  expect(found(read(Pet), read(more))).toEqual([]);
  expect(found(read(Pet), read(parts, { Base: Pet }))).toEqual([]);
  expect(found(sent({ type: "integer", minimum: 1 }), sent({ type: "number" }))).toEqual([]);
  const former = pets({}) as { paths: object };
  expect(found(former, { ...former, paths: { ...former.paths, "/more": { get: {} } } })).toEqual([]);
});

test("documents of version 2: bodies and schemas of responses", () => {
  const two = (schema: object) => ({
    swagger: "2.0",
    definitions: { Pet: schema },
    paths: {
      "/pets": {
        post: {
          parameters: [{ in: "body", name: "pet", schema: { $ref: "#/definitions/Pet" } }],
          responses: { 200: { description: "", schema: { $ref: "#/definitions/Pet" } } },
        },
      },
    },
  });
  const former = { type: "object", properties: { id: {}, name: {} } };
  expect(found(two(former), two({ type: "object", properties: { id: {} } }))).toEqual([
    "field-removed | POST /pets | body.name",
    "field-removed | POST /pets | 200.name",
  ]);
});

test("circles end, and a long list is cut with its number kept", () => {
  const Node = { type: "object", properties: { next: { $ref: "#/components/schemas/Node" }, gone: {} } };
  const present = { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } };
  const to = { $ref: "#/components/schemas/Node" };
  expect(found(read(to, { Node }), read(to, { Node: present }))).toEqual([
    "field-removed | POST /pets/{id} | 200.gone",
  ]);
  const many = (count: number) => ({
    paths: Object.fromEntries(Array.from({ length: count }, (_, at) => [`/p${at}`, { get: {} }])),
  });
  const changes = compare(many(1000) as never, many(1) as never);
  expect([changes.count, changes.items.length]).toEqual([999, 200]);
});
