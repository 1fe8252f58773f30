import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { contentTest } from "../../testing/content.js";
import { processSource } from "../processing/process.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(() => t.drop());
const admin = t.as({ acme: "admin" });

const pet = { $ref: "#/components/schemas/Pet" };
const body = { content: { "application/json": { schema: pet } } };
const document = {
  openapi: "3.0.3",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://{host}/v1", variables: { host: { default: "pets.example.com" } } }],
  paths: {
    "/pets": {
      parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
      get: { responses: { 200: { description: "Pets", ...body } } },
      post: { requestBody: body, responses: { 201: { description: "Secret" } } },
    },
  },
  components: {
    schemas: {
      Pet: { type: "object", properties: { parents: { type: "array", items: pet } } },
      Other: { type: "object" },
    },
  },
};

const block = (spec: string, path: string, method: string) =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n[x](https://a.example/)\n{% endopenapi-operation %}\n`;

async function pageWith(markdown: string, spaceId?: string) {
  spaceId ??= await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const changes = [
    { operation: "insert_page" as const, title: "API", document: { markdown: `# API\n\n${markdown}` } },
  ];
  await admin.changeRequests.edit({ ...one, changes });
  const { revision: revisionId } = await admin.changeRequests.merge(one);
  const pageId = (await admin.content.pages({ spaceId })).pages[0]!.id;
  return { spaceId, revisionId, pageId };
}

async function visitorOf(spaceId: string, claims?: Record<string, unknown>) {
  const site = newId("site");
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch: 0,
    spaces: [{ space: spaceId, visibility: "share-link" as const, url: `http://sites.test/${site}/` }],
  });
  const { revision } = await admin.spaces.get({ spaceId });
  const caller: ReaderCaller = {
    kind: "reader",
    organization: "acme",
    site,
    epoch: 0,
    space: spaceId,
    revision,
    token: newId(),
    claims,
  };
  return t.call(caller);
}

beforeAll(async () => {
  const source = { text: JSON.stringify(document) };
  const { id } = await admin.openapi.createOrUpdate({ organizationId: "acme", specSlug: "pets", source });
  await processSource(t.ctx, id, new AbortController().signal);
});

test("shownOperations.ofPage gives a visitor the operations that the page names, with what they refer to, and no other", async () => {
  const page = await pageWith(
    block("pets", "/pets", "get") + block("pets", "/none", "get") + block("none", "/pets", "get"),
  );
  const visitor = await visitorOf(page.spaceId);
  const { items } = await visitor.shownOperations.ofPage(page);
  expect(items).toHaveLength(1);
  const [{ servers, operation, references, ...named }] = items as [(typeof items)[0]];
  expect(named).toEqual({ spec: "pets", path: "/pets", method: "get" });
  expect(servers).toEqual(["https://pets.example.com/v1"]);
  expect(operation.parameters).toEqual(document.paths["/pets"].parameters);
  expect(Object.keys(references)).toEqual(["#/components/schemas/Pet"]);
  expect(JSON.stringify(items)).not.toContain("Secret");
  expect(await visitor.shownOperations.ofPage(page)).toEqual({ items });
});

test("shownOperations.ofPage gives the security schemes that an operation takes, and no other", async () => {
  const key = { type: "apiKey", in: "header", name: "X-Key" };
  const responses = { 200: { description: "Good" } };
  const content = {
    openapi: "3.0.3",
    info: { title: "Locked", version: "1" },
    security: [{ key: [], gone: [] }],
    paths: {
      "/a": { get: { responses }, put: { responses, security: [] } },
      "/b": { get: { responses, security: [{ login: ["read"] }] } },
    },
    components: { securitySchemes: { key, login: { type: "http", scheme: "basic" }, other: key } },
  };
  const source = { text: JSON.stringify(content) };
  const { id } = await admin.openapi.createOrUpdate({ organizationId: "acme", specSlug: "locked", source });
  await processSource(t.ctx, id, new AbortController().signal);
  const blocks = [block("locked", "/a", "get"), block("locked", "/a", "put"), block("locked", "/b", "get")];
  const page = await pageWith(blocks.join(""));
  const { items } = await (await visitorOf(page.spaceId)).shownOperations.ofPage(page);
  expect(items.map(({ operation, references }) => [operation.security, references])).toEqual([
    [[{ key: [], gone: [] }], { "#/components/securitySchemes/key": key }],
    [[], {}],
    [[{ login: ["read"] }], { "#/components/securitySchemes/login": { type: "http", scheme: "basic" } }],
  ]);
});

test("shownOperations.ofPage gives the webhooks and schemas that the page names, and nothing else of the specification", async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const media = { content: { "application/json": { schema: ref("Pet") } } };
  const schemas = {
    Pet: { type: "object", properties: { owner: ref("Owner") } },
    Owner: { type: "object" },
    Kind: { enum: ["cat"] },
    Secret: { type: "object" },
  };
  const content = {
    openapi: "3.1.0",
    info: { title: "Told", version: "1" },
    components: { schemas },
    webhooks: { adopted: { post: { requestBody: media } }, hidden: { post: { requestBody: media } } },
  };
  const source = { text: JSON.stringify(content) };
  const { id } = await admin.openapi.createOrUpdate({ organizationId: "acme", specSlug: "told", source });
  await processSource(t.ctx, id, new AbortController().signal);
  const tagged = (name: string, attributes: string) =>
    `{% openapi-${name} spec="told" ${attributes} %}\n[x](https://a.example/)\n{% endopenapi-${name} %}\n\n`;
  const page = await pageWith(
    tagged("webhook", 'name="adopted" method="POST"') +
      tagged("schemas", 'schemas="Owner,Gone"') +
      tagged("schemas", 'schemas="Kind, Owner" grouped="false"') +
      tagged("webhook", 'name="gone" method="post"'),
  );
  const visitor = await visitorOf(page.spaceId);
  const shown = await visitor.shownOperations.ofPage(page);
  const { Pet, Owner, Kind } = schemas;
  expect(shown).toEqual({
    items: [],
    webhooks: [
      {
        spec: "told",
        name: "adopted",
        method: "post",
        operation: { requestBody: media, parameters: [] },
        references: { "#/components/schemas/Pet": Pet, "#/components/schemas/Owner": Owner },
      },
    ],
    schemas: [
      {
        spec: "told",
        references: { "#/components/schemas/Owner": Owner, "#/components/schemas/Kind": Kind },
      },
    ],
  });
  expect(await visitor.shownOperations.ofPage(page)).toEqual(shown);
});

test("shownOperations.ofPage gives nothing of a block whose condition the visitor does not meet, or of an unknown page", async () => {
  const page = await pageWith(`{% if visitor.claims.beta %}\n${block("pets", "/pets", "post")}{% endif %}\n`);
  expect((await (await visitorOf(page.spaceId)).shownOperations.ofPage(page)).items).toEqual([]);
  const beta = await visitorOf(page.spaceId, { beta: true });
  expect((await beta.shownOperations.ofPage(page)).items.map(({ method }) => method)).toEqual(["post"]);
  const unknown = { ...page, pageId: "unknown" };
  await expect(beta.shownOperations.ofPage(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const stranger = await visitorOf(await t.space());
  await expect(stranger.shownOperations.ofPage(page)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("shownOperations.ofPage gives the operations of a file of the space that holds a document, valid or not, and none of other files", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const file = (name: string, text: string) => ({ name, base64: Buffer.from(text).toString("base64") });
  const yaml = "paths:\n  /pets:\n    get:\n      responses: {200: {$ref: '#/gone'}}\n";
  const files = [
    file("pets.yml", yaml),
    file("notes.txt", "no specification"),
    file("long.json", JSON.stringify({ ...document, "x-long": "x".repeat(2 * 1024 * 1024) })),
  ];
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "insert_files", files }],
  });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const { items: inserted } = await admin.content.files({ spaceId });
  const idOf = (name: string) => inserted.find((one) => one.name === name)!.id;
  const shows = (id: string, method: string) =>
    `{% swagger src="/broken/files/${id}" path="/pets" method="${method}" %}\n[x](/broken/files/${id})\n{% endswagger %}\n\n`;
  const blocks = [
    ...["get", "post"].map((method) => shows(idOf("pets.yml"), method)),
    ...["notes.txt", "long.json"].map((name) => shows(idOf(name), "get")),
    shows("unknown", "get"),
  ];
  const page = await pageWith(blocks.join(""), spaceId);
  const visitor = await visitorOf(spaceId);
  const { items } = await visitor.shownOperations.ofPage(page);
  expect(items).toMatchObject([{ file: idOf("pets.yml"), path: "/pets", method: "get", references: {} }]);
  expect(await visitor.shownOperations.ofPage(page)).toEqual({ items });
});
