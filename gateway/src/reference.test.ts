import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { type Document, mergeDocuments } from "./merge-documents.js";
import { send, startGateway } from "./testing.js";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document = (paths: Document["paths"], schemas: Record<string, object>): Document => ({
  openapi: "3.1.0",
  info: {},
  paths,
  components: { schemas: schemas as Record<string, Record<string, unknown>> },
});
const get = (operationId: string, schema: object, tag = "things") => ({
  get: { operationId, tags: [tag], responses: { 200: { content: { "application/json": { schema } } } } },
});
const user = { type: "object", properties: { id: { type: "string" } } };

test("a schema that two services describe alike is shared, one described differently is renamed with its references", async () => {
  const node = {
    type: "object",
    properties: {
      next: ref("Node"),
      kind: { discriminator: { mapping: { a: "#/components/schemas/Node" } } },
    },
  };
  const merged = await mergeDocuments(
    { title: "T" },
    {
      orgs: document({ "/a": get("getA", ref("User")) }, { User: user, Node: { type: "string" } }),
      sites: document(
        { "/b": get("getB", ref("Node")) },
        { User: { properties: user.properties, type: "object" }, Node: node },
      ),
    },
  );
  const { schemas } = merged.components!;
  expect(Object.keys(schemas!)).toEqual(["User", "Node", "SitesNode"]);
  expect(JSON.stringify(schemas!.SitesNode)).toBe(
    JSON.stringify(node).replaceAll("schemas/Node", "schemas/SitesNode"),
  );
  expect(JSON.stringify(merged.paths!["/b"])).toContain("#/components/schemas/SitesNode");
  expect(JSON.stringify(merged.paths!["/a"])).toContain("#/components/schemas/User");
});

test("operation ids become unique, tags are collected, verbs of one path are joined", async () => {
  const merged = await mergeDocuments(
    {},
    {
      orgs: document({ "/a": get("list", user, "zebras") }, {}),
      sites: document({ "/b": get("list", user, "apes"), "/a": { post: { operationId: "create" } } }, {}),
    },
  );
  expect(merged.tags).toEqual([{ name: "apes" }, { name: "zebras" }]);
  expect(merged.paths!["/b"]).toMatchObject({ get: { operationId: "sitesList" } });
  expect(Object.keys(merged.paths!["/a"]!)).toEqual(["get", "post"]);
});

test("two services that describe one operation are refused", async () => {
  const one = document({ "/a": get("list", user) }, {});
  await expect(mergeDocuments({}, { orgs: one, sites: one })).rejects.toThrow("Two services describe GET /a");
});

test("GET /v1/openapi.json is merged, compressed and revalidated; an old one is served while a service is away", async () => {
  let away = true;
  const gateway = await startGateway({
    upstream: (_, res) =>
      away ? res.writeHead(500).end() : res.end(JSON.stringify(document({}, { User: user }))),
  });
  const early = await send(gateway, "GET", "/v1/openapi.json", { headers: {} });
  expect([early.status, early.json().error.reason]).toEqual([503, "service_unavailable"]);
  away = false;
  const answer = await send(gateway, "GET", "/v1/openapi.json", { headers: {} });
  expect(answer.json()).toMatchObject({
    openapi: "3.1.0",
    info: { version: "1.2.3" },
    servers: [{ url: "/v1" }],
  });
  expect(Object.keys(answer.json().paths as object)).toEqual(["/"]);
  away = true;
  const etag = answer.headers.etag!;
  expect(
    (await send(gateway, "GET", "/v1/openapi.json", { headers: { "if-none-match": etag } })).status,
  ).toBe(304);
  const packed = await fetch(`${gateway.url}/v1/openapi.json`, { headers: { "accept-encoding": "gzip" } });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(await packed.json()).toEqual(answer.json());
  await gateway.stop();
});

test("GET /v1/openapi.json follows the documents of the services", async () => {
  let schemas: Record<string, object> = { User: user };
  const gateway = await startGateway({
    upstream: (_, res) => res.end(JSON.stringify(document({}, schemas))),
  });
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const later = async () => {
      vi.setSystemTime(Date.now() + 60_000);
      const { headers, json } = await send(gateway, "GET", "/v1/openapi.json", { headers: {} });
      const { schemas } = json().components as Record<string, object>;
      return { etag: headers.etag, names: Object.keys(schemas!) };
    };
    const first = await later();
    expect(first.names).toContain("User");
    expect(await later()).toEqual(first);
    schemas = { Person: user };
    const changed = await later();
    expect(changed.names).toContain("Person");
    expect(changed.names).not.toContain("User");
    expect(changed.etag).not.toBe(first.etag);
  } finally {
    vi.useRealTimers();
    await gateway.stop();
  }
});

test("/docs brings all its parts itself, under a policy that allows nothing else", async () => {
  const gateway = await startGateway({ upstream: (_, res) => res.end() });
  const page = await send(gateway, "GET", "/docs", { headers: {} });
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/);
  const linked = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(linked.length).toBeGreaterThan(4);
  for (const address of linked.filter((address) => address !== "/v1/openapi.json")) {
    expect((await send(gateway, "GET", address, { headers: {} })).status, address).toBe(200);
  }
  const folder = new URL("../docs/", import.meta.url);
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), "utf8").replace("http://www.w3.org/2000/svg", "");
    expect(text, file).not.toMatch(/(?:src|href|from|import|url)\W{1,3}https?:/);
    expect(text, file).not.toMatch(/innerHTML|style="|onclick="/);
  }
  await gateway.stop();
});

test("no script of /docs stores anything that other pages of the origin could read", async () => {
  const gateway = await startGateway({ upstream: (_, res) => res.end() });
  const scripts = readdirSync(new URL("../docs/", import.meta.url)).filter((file) => file.endsWith(".js"));
  expect(scripts).toContain("page.js");
  for (const file of scripts) {
    const { text } = await send(gateway, "GET", `/docs/${file}`, { headers: {} });
    const calls = text.match(/(?:localStorage|sessionStorage|indexedDB|caches|cookie\w*)\b[^;\n]*/g) ?? [];
    expect(calls, file).toEqual(file === "page.js" ? ['sessionStorage.removeItem("token")'] : []);
  }
  await gateway.stop();
});
