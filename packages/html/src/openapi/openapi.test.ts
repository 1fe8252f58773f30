import { block } from "@octavo/markdown/document/nodes";
import { expect, test } from "vitest";
import { PLAIN_PAGE } from "../page.js";
import { read } from "../read.js";
import { renderDocument } from "../render.js";
import { expectSafe } from "../testing/expect-safe.js";
import { HOSTILE } from "../testing/hostile.js";
import type { Operation } from "./schema.js";

const data = { ref: { kind: "openapi", spec: "a" }, path: "/pets/{id}", method: "put" };
const document = { object: "document" as const, data: {}, nodes: [block("openapi-operation", data, [])] };
const draw = (operation: Operation) =>
  renderDocument(document, {
    ...PLAIN_PAGE,
    read,
    operation: () => operation,
  });

/** An operation in which every text is the same. */
const operationWith = (text: string): Operation => ({
  servers: [text, "https://api.example.com/v1"],
  operation: {
    security: [{ [text]: [] }, { key: [] }],
    summary: text,
    description: text,
    parameters: [{ name: text, in: "query", description: text, schema: { type: text, enum: [text] } }],
    requestBody: { content: { [text]: { schema: { $ref: "#/a" } } } },
    responses: { [text]: { description: text, content: { [text]: { schema: { $ref: "#/a" } } } } },
  },
  references: {
    [`#/components/securitySchemes/${text}`]: { type: "http", scheme: "bearer", description: text },
    "#/components/securitySchemes/key": { type: "apiKey", in: "query", name: text },
    "#/a": {
      type: "object",
      properties: { [text]: { type: "string", default: text, description: text } },
      example: text,
    },
  },
});

test("no element, attribute or scheme of theirs comes out of 400 hostile texts in every place of an operation", () => {
  for (const text of HOSTILE) expectSafe(draw(operationWith(text)), text);
});

test("schemas that contain themselves, and large ones, end", () => {
  const self = {
    type: "object",
    properties: Object.fromEntries([..."abcdefgh"].map((name) => [name, { $ref: "#/a" }])),
  };
  const html = draw({
    servers: [],
    operation: { requestBody: { content: { "application/json": { schema: { $ref: "#/a" } } } } },
    references: { "#/a": self, "#/b": { $ref: "#/b" }, "#/c": { allOf: [{ $ref: "#/c" }] } },
  });
  expect(html.length).toBeLessThan(200_000);
  for (const to of ["#/b", "#/c", "#/none"])
    expect(draw({ servers: [], operation: { parameters: [{ $ref: to }] }, references: {} })).toContain("api");
});

/** An operation that takes and returns a schema, which may refer to itself as `#/a`. */
const operationAround = (schema: object, more: Operation["references"] = {}): Operation => {
  const content = { "application/json": { schema: { $ref: "#/a" } } };
  return {
    servers: [],
    operation: { requestBody: { content }, responses: { 200: { description: "", content } } },
    references: { "#/a": schema as Operation["operation"], ...more },
  };
};

test.each([
  ["list", { type: "array", items: { $ref: "#/a" } }],
  ["map", { type: "object", additionalProperties: { $ref: "#/a" } }],
  ["alternative", { oneOf: [{ $ref: "#/a" }] }],
  ["JSON value", { oneOf: [{ type: "string" }, { type: "array", items: { $ref: "#/a" } }] }],
  ["list of twelve", { oneOf: Array(12).fill({ type: "array", items: { $ref: "#/a" } }) }],
])("a schema that is a %s of itself without any field ends", (_, schema) => {
  const html = draw(operationAround(schema));
  expect(html).toContain('<p class="type">application/json · a</p>');
  expect(html.length).toBeLessThan(20_000);
});

test("fields are found in lists of alternatives of lists", () => {
  const named = { type: "object", properties: { inner: { type: "string" } } };
  const list = { type: "array", items: { anyOf: [{ type: "null" }, named] } };
  expect(draw(operationAround({ oneOf: [{ type: "array", items: list }] }))).toContain("<code>inner</code>");
});

/** Draws an operation around schemas, and counts how often one of them is looked up. */
function counted(schemas: Record<string, object>) {
  let count = 0;
  const references = Object.fromEntries(Object.keys(schemas).map((name) => [name, {}]));
  for (const [name, schema] of Object.entries(schemas))
    Object.defineProperty(references, name, {
      get() {
        count += 1;
        return schema;
      },
    });
  const html = draw({ ...operationAround({}), references });
  return { count, html };
}
const to = (name: string) => ({ $ref: `#/${name}` });
const times = (count: number, part: object) => Array.from({ length: count }, () => part);

test.each([
  ["consists of itself a hundred times", { "#/a": { allOf: times(100, to("a")) } }],
  [
    "has alternatives of alternatives of itself",
    {
      "#/a": { type: "object", properties: { one: { oneOf: times(100, { anyOf: times(100, to("b")) }) } } },
      "#/b": { allOf: [{ oneOf: times(100, { allOf: times(100, to("b")) }) }] },
    },
  ],
  [
    "has a hundred fields that consist of it",
    {
      "#/a": {
        type: "object",
        properties: Object.fromEntries(
          times(100, {}).map((_, at) => [`f${at}`, { allOf: [to("a"), to("a")] }]),
        ),
      },
    },
  ],
  [
    "consists of a wide one two hundred times",
    {
      "#/a": { type: "object", properties: { one: { allOf: times(200, to("b")) }, two: to("b") } },
      "#/b": {
        type: "object",
        properties: Object.fromEntries(times(9_000, to("b")).map((one, at) => [`f${at}`, one])),
      },
    },
  ],
])("a schema that %s is looked up so often and no more", (_, schemas) => {
  const { count, html } = counted(schemas);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(20_100);
  expect(html).toContain("Content-Type: application/json");
  expect(html.length).toBeLessThan(400_000);
});

test("texts that many fields share make no more of an operation than texts of its own could", () => {
  const field = { type: "x".repeat(50_000), description: "y *z* ".repeat(1_300), example: "e".repeat(9_000) };
  const names = times(300, {}).map((_, at) => [`${at}`, to("b")]);
  const { html } = counted({
    "#/a": { type: "object", properties: Object.fromEntries(names) },
    "#/b": field,
  });
  expect(html).toContain("<em>z</em>");
  expect(html.length).toBeLessThan(700_000);
});

test("the path of an operation breaks after its slashes, and in none of its parameters", () => {
  const path = "/v1/{organization-id}/pages{.format}";
  const nodes = [block("openapi-operation", { ...data, path }, [])];
  const html = renderDocument(
    { ...document, nodes },
    { ...PLAIN_PAGE, read, operation: () => operationWith("plain") },
  );
  expect(html).toContain(
    "<code>/<wbr/>v1/<wbr/><span>{organization-id}/</span><wbr/><span>pages{.format}</span></code>",
  );
});

test("an operation shows its inputs and outputs, a request to copy, and a form for an absolute server", () => {
  const html = draw(operationWith("plain"));
  expect(html).toContain(
    '<span class="method put">PUT</span><code>/<wbr/>pets/<wbr/><span>{id}</span></code>',
  );
  expect(html).toMatch(/data-server="https:\/\/api\.example\.com\/v1"/);
  expect(html).not.toMatch(/data-server="plain"/);
  expect(html).toContain("curl");
});

test("an operation shows its request before its responses", () => {
  const html = draw(operationWith("plain"));
  const [request, responses] = [PLAIN_PAGE.words.request, PLAIN_PAGE.words.responses].map((title) =>
    html.indexOf(`>${title}</h4>`),
  );
  expect(request).toBeGreaterThan(0);
  expect(responses).toBeGreaterThan(request!);
});

test("a field lists its alternatives where they have fields of their own, and its limits apart from each other", () => {
  const fields = { type: "object", properties: { inner: { type: "string" } } };
  const schema = (oneOf: object[]) => ({ type: "object", properties: { prompt: { oneOf } } });
  const html = (oneOf: object[]) =>
    draw({
      servers: [],
      operation: { requestBody: { content: { "application/json": { schema: schema(oneOf) } } } },
      references: {},
    });
  const texts = { type: "array", items: { type: "string" } };
  expect(html([{ type: "string" }, texts])).not.toContain('<p class="type">string');
  expect(html([{ type: "string" }, fields])).toContain('<p class="type">object</p>');

  const limited = draw({
    servers: [],
    operation: {
      parameters: [{ name: "a", in: "query", schema: { type: "integer", default: 16, minimum: 0 } }],
    },
    references: {},
  });
  expect(limited).toContain(
    'Default: <code>16</code> · <span class="bound">minimum <code>0</code></span></p>',
  );
});

/** A media type of a schema. */
const as = (schema: object, more: object = {}) => ({ schema, ...more });
const pet = { type: "object", properties: { name: { type: "string", example: "Rex" } } };
const operationOf = (operation: object) =>
  draw({ servers: [], operation: operation as never, references: {} });

test("a body shows all media types that it may be, those with one schema together, and JSON first", () => {
  const html = operationOf({
    requestBody: {
      content: {
        "application/xml": as(pet),
        "multipart/form-data": as({ type: "object", properties: { photo: { type: "string" } } }),
        "application/json": as(pet),
      },
    },
  });
  expect(html).toContain(
    '<p class="type">application/json · application/xml · object</p><ul class="fields"><li><div class="field"><code>name',
  );
  expect(html).toContain(
    '<p class="type">multipart/form-data · object</p><ul class="fields"><li><div class="field"><code>photo',
  );
  expect(html).toContain("Content-Type: application/json");
});

test("a field shows its example once, where that says more than its default and its values", () => {
  const parameter = (schema: object, more: object = {}) => ({ name: "a", in: "query", schema, ...more });
  const shown = (schema: object, more?: object) =>
    operationOf({ parameters: [parameter(schema, more)] }).includes("Example: <code>x</code>");
  expect(shown({ type: "string", example: "x" })).toBe(true);
  expect(shown({ type: "string", examples: ["x"] })).toBe(true);
  expect(shown({ type: "string" }, { example: "x" })).toBe(true);
  expect(shown({ type: "string" }, { examples: { one: { value: "x" } } })).toBe(true);
  expect(shown({ type: "string", example: "x", default: "x" })).toBe(false);
  expect(shown({ type: "string", example: "x", enum: ["x", "y"] })).toBe(false);
  expect(shown({ type: "object", example: { x: 1 } })).toBe(false);
});

test("a response shows its example, or one made of its schema where all went well", () => {
  const response = (status: string, media: object) =>
    operationOf({ responses: { [status]: { description: "", content: { "application/json": media } } } });
  const words = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll("&quot;", '"');
  expect(words(response("200", as(pet)))).toContain('Example{\n  "name": "Rex"\n}');
  expect(words(response("404", as(pet, { example: { code: 404 } })))).toContain('"code": 404');
  expect(response("404", as(pet))).not.toContain("<summary>Example</summary>");
});

test("an example that stands elsewhere in the document is found there", () => {
  const examples = { missing: { $ref: "#/components/examples/missing" } };
  const content = { "application/json": as(pet, { examples }) };
  const html = draw({
    servers: [],
    operation: { responses: { 404: { description: "", content } } } as never,
    references: { "#/components/examples/missing": { value: { code: 404 } } },
  });
  expect(html.replaceAll(/<[^>]*>/g, "").replaceAll("&quot;", '"')).toContain('"code": 404');
});

test("an example of a schema that contains itself many times over ends", () => {
  const names = Array.from({ length: 60 }, (_, at) => `field${at}`);
  const self = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { $ref: "#/a" }])),
  };
  const content = { "application/json": { schema: { $ref: "#/a" } } };
  const html = draw({
    servers: [],
    operation: { requestBody: { content }, responses: { 200: { description: "", content } } } as never,
    references: { "#/a": self },
  });
  expect(html).toContain("<summary>Example</summary>");
  expect(html.length).toBeLessThan(400_000);
});

/** The sample of an operation, as text. */
const sampleIn = (html: string) =>
  /<code data-sample="true">(.*?)<\/code>/s
    .exec(html)![1]!
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<");

test("a sample holds examples of the headers and the query that a request must have", () => {
  const parameter = (place: string, name: string, more: object) => ({
    in: place,
    name,
    required: true,
    ...more,
  });
  const parameters = [
    parameter("header", "X-Version", { schema: { type: "string", enum: ["2026-01-31"] } }),
    parameter("header", "X-Trace", { required: false, schema: { type: "string" } }),
    parameter("query", "tag", { schema: { type: "array", items: { type: "string", example: "a b" } } }),
    parameter("query", "limit", { type: "integer", default: 10 }),
  ];
  const sample = sampleIn(operationOf({ parameters }));
  expect(sample).toContain("'/pets/{id}?tag=a+b&limit=10'");
  expect(sample).toContain("-H 'X-Version: 2026-01-31'");
  expect(sample).not.toContain("X-Trace");
});

/** An operation that takes a form. */
const formOf = (type: string, properties: object, more: object = {}) =>
  draw({
    servers: ["https://api.example.com"],
    operation: {
      requestBody: {
        content: { [type]: { schema: { type: "object", properties, required: ["name"] }, ...more } },
      },
    },
    references: {},
  });

test("a form with files is sent in parts: its sample and its form have a field for each", () => {
  const text = (example: string) => ({ type: "string", example });
  const properties = {
    name: text("Rex"),
    note: text("@home; it's"),
    photo: { type: "string", format: "binary" },
    scans: { type: "array", items: { type: "string", contentMediaType: "image/png" } },
    owner: { type: "object", properties: { id: { type: "integer" } } },
    kind: { type: "string", enum: ["cat", "dog"], default: "dog" },
  };
  const html = formOf("multipart/form-data", properties);
  const sample = sampleIn(html);
  expect(sample).not.toContain("Content-Type");
  expect(sample).not.toMatch(/ -d /);
  for (const line of [
    "-F 'name=Rex'",
    "--form-string 'note=@home; it'\\''s'",
    "-F 'photo=@file'",
    "-F 'scans=@file'",
    "-F 'kind=dog'",
    `-F 'owner={"id":1}'`,
  ])
    expect(sample).toContain(`  ${line}`);
  expect(html).toContain('data-form="multipart/form-data"');
  expect(html).toContain('<input type="text" data-in="form" data-name="name" required value="Rex"');
  expect(html).toContain('<input type="file" data-in="form" data-name="photo"/>');
  expect(html).toContain('<input type="file" data-in="form" data-name="scans" multiple/>');
  expect(html).toContain('<option value="dog" selected>dog</option>');
  expect(html).not.toContain("<textarea");
});

test("a form without files is sent as an address has its query", () => {
  const html = formOf("application/x-www-form-urlencoded", { "a=b": { type: "string", example: "1 & 2" } });
  expect(sampleIn(html)).toContain("  --data-urlencode 'a%3Db=1 & 2'");
  expect(sampleIn(html)).not.toContain("Content-Type");
  expect(html).toContain('data-form="application/x-www-form-urlencoded"');
});

test("the form parameters of a document of version 2.0 are a form", () => {
  const parameters = [
    { in: "formData", name: "file", type: "file", required: true },
    { in: "formData", name: "tag", type: "string", default: "new" },
  ];
  const sample = sampleIn(operationOf({ parameters }));
  expect(sample).toContain("  -F 'file=@file'");
  expect(sample).toContain("  -F 'tag=new'");
});

/** A request that security schemes are for. */
const locked = (security: object[] | undefined, schemes: Record<string, object>) =>
  draw({
    servers: ["https://api.example.com"],
    operation: {
      ...(security && { security }),
      parameters: [{ in: "header", name: "X-Key", required: true, schema: { type: "string" } }],
    },
    references: Object.fromEntries(
      Object.entries(schemes).map(([name, one]) => [`#/components/securitySchemes/${name}`, { ...one }]),
    ),
  });
const key = (place: string, name: string) => ({ type: "apiKey", in: place, name });

test.each([
  ["bearer", { type: "http", scheme: "Bearer" }, `-H "Authorization: Bearer $TOKEN"`, "Authorization"],
  ["login", { type: "oauth2", flows: {} }, `-H "Authorization: Bearer $TOKEN"`, "Authorization"],
  ["open", { type: "openIdConnect" }, `-H "Authorization: Bearer $TOKEN"`, "Authorization"],
  ["basic", { type: "http", scheme: "basic" }, `-u "$USERNAME:$PASSWORD"`, "Authorization"],
  ["old", { type: "basic" }, `-u "$USERNAME:$PASSWORD"`, "Authorization"],
  ["header", key("header", "X-Key"), `-H "X-Key: $API_KEY"`, "X-Key"],
  ["query", key("query", "api_key"), `/pets/{id}?api_key='"$API_KEY"`, "api_key"],
])(
  "the security scheme %s has a field of its name, and its place in the sample",
  (name, scheme, line, field) => {
    const html = locked([{ [name]: [] }], { [name]: scheme });
    expect(sampleIn(html)).toContain(line);
    expect(html.match(/<input [^>]*data-token="[^>]*>/g)).toHaveLength(1);
    expect(html).toContain(`data-name="${field}" data-kind`);
    expect(html).toContain(`data-token="${name} https://api.example.com"`);
    expect(html).toContain(`<span class="field"><code>${name}</code>`);
  },
);

test("schemes of one way are sent together, those of another way are offered", () => {
  const schemes = { id: key("query", "id"), secret: key("query", "secret"), bearer: { type: "oauth2" } };
  const html = locked([{ id: [], secret: [] }, { bearer: [] }], schemes);
  expect(sampleIn(html)).toContain(`/pets/{id}?id='"$API_KEY"'&secret='"$API_KEY_2"`);
  expect(sampleIn(html)).not.toContain("Bearer");
  expect(html.match(/data-token=/g)).toHaveLength(3);
  expect(html).toContain('<p class="type">id + secret | bearer</p>');
});

test("a cookie is in the sample alone: no page can send one of another site", () => {
  const html = locked([{ session: [] }], { session: key("cookie", "sid") });
  expect(sampleIn(html)).toContain(`-b "sid=$API_KEY"`);
  expect(html).not.toContain("data-token");
});

test("a request has no secret where the operation takes none, or one that cannot be sent", () => {
  const bearer = { type: "http", scheme: "bearer" };
  const hostile = key("header", 'X"; rm -rf $HOME #');
  for (const html of [
    locked([], { bearer }),
    locked(undefined, { bearer }),
    locked([{ mutual: [] }], { mutual: { type: "mutualTLS" } }),
    locked([{ hostile: [] }], { hostile }),
    locked([{ gone: [] }], {}),
  ]) {
    expect(sampleIn(html)).not.toMatch(/\$|Authorization/);
    expect(html).not.toContain("data-token");
    expect(html).not.toContain(PLAIN_PAGE.words.authentication);
  }
});

test("a header that is a secret is no parameter as well", () => {
  const html = locked([{ header: [] }], { header: key("header", "X-Key") });
  expect(sampleIn(html).match(/X-Key/g)).toHaveLength(1);
  expect(html).not.toContain(PLAIN_PAGE.words.headerParameters);
});

/** Schemas and webhooks of an API, drawn where blocks name them. */
const SPEC = { kind: "openapi", spec: "a" };
const drawBlock = (type: string, data: object, page: object) =>
  renderDocument(
    { object: "document", data: {}, nodes: [block(type, { ref: SPEC, ...data }, [])] },
    { ...PLAIN_PAGE, read, ...page },
  );
const schemasOf = (data: object, references: Record<string, object>) =>
  drawBlock("openapi-schemas", data, { schemas: () => references });

test("schemas are drawn with their fields and values, together or each for itself, and by their names where they are gone", () => {
  const references = {
    "#/components/schemas/Pet": { ...pet, description: "A *pet*", required: ["name"] },
    "#/definitions/Kind": { type: "string", enum: ["cat", "dog"] },
  };
  const grouped = schemasOf({ schemas: ["Pet", " Kind", "Gone"] }, references);
  expect(grouped.match(/<article class="api">/g)).toHaveLength(1);
  expect(grouped).toContain('<details class="nested"><summary><code>Pet</code></summary>');
  expect(grouped).toContain("<em>pet</em>");
  expect(grouped).toContain('<code>name</code><span class="type">string</span><span class="required">');
  expect(grouped).toContain("<code>cat</code> <code>dog</code>");
  expect(grouped).toContain("<p><code>Gone</code></p>");
  const apart = schemasOf({ schemas: ["Pet", "Kind"], grouped: false }, references);
  expect(apart.match(/<article class="api"><header><code>(?:Pet|Kind)<\/code>/g)).toHaveLength(2);
  const gone = schemasOf({ schemas: ["Gone", "toString"] }, references);
  expect(gone).toContain('<div class="operation"><code>Gone, toString</code>');
});

test("hundreds of schemas that contain each other end, and each has a place", () => {
  const names = times(300, {}).map((_, at) => `S${at}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
  );
  const references = Object.fromEntries(
    names.map((name) => [`#/components/schemas/${name}`, { allOf: [{ type: "object", properties }] }]),
  );
  const html = schemasOf({ schemas: names }, references);
  expect(html.match(/<details class="nested"><summary><code>S\d+/g)).toHaveLength(300);
  expect(html.length).toBeLessThan(500_000);
});

test("a webhook is drawn with its payload and an example of it, and without a request to send", () => {
  const shown: Operation = {
    servers: ["https://api.example.com"],
    operation: {
      summary: "A pet was adopted",
      security: [{ bearer: [] }],
      requestBody: { content: { "application/json": { schema: { $ref: "#/a" } } } },
      responses: { 204: { description: "Seen" } },
    },
    references: { "#/a": pet },
  };
  const at: object[] = [];
  const html = drawBlock(
    "openapi-webhook",
    { name: "adopted", method: "POST" },
    { webhook: (...of: object[]) => at.push(...of) && shown },
  );
  expect(at).toEqual([SPEC, { method: "post", name: "adopted" }]);
  expect(html).toContain('<span class="method post">POST</span><code>adopted</code>');
  expect(html).toContain('<p class="summary">A pet was adopted</p>');
  expect(html).toContain("<code>name</code>");
  expect(html).toContain("Rex");
  expect(html).toContain('<b class="good">204</b>');
  for (const none of ["curl", "data-trial", PLAIN_PAGE.words.authentication])
    expect(html).not.toContain(none);
});

test("nothing but our elements comes out of hostile schemas and webhooks", () => {
  for (const text of HOSTILE.slice(0, 100)) {
    const { operation, references } = operationWith(text);
    const page = {
      webhook: () => ({ servers: [], operation, references }),
      schemas: () => ({ [`#/definitions/${text.trim()}`]: references["#/a"]! }),
    };
    expectSafe(drawBlock("openapi-webhook", { name: text, method: "post" }, page), text);
    expectSafe(drawBlock("openapi-schemas", { schemas: [text] }, page), text);
  }
});
