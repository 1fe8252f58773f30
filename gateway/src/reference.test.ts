import { expect, test, vi } from "vitest";
import { type Document, mergeDocuments } from "./merge-documents.js";
import { readRoutes } from "./routes.js";
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
  const response = await send(gateway, "GET", "/v1/openapi.json", { headers: {} });
  expect(response.json()).toMatchObject({
    openapi: "3.1.0",
    info: { version: "1.2.3" },
    servers: [{ url: "/v1" }],
  });
  expect(Object.keys(response.json().paths as object)).toEqual(["/"]);
  away = true;
  const etag = response.headers.etag!;
  expect(
    (await send(gateway, "GET", "/v1/openapi.json", { headers: { "if-none-match": etag } })).status,
  ).toBe(304);
  const packed = await fetch(`${gateway.url}/v1/openapi.json`, { headers: { "accept-encoding": "gzip" } });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(await packed.json()).toEqual(response.json());
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

/** Between the parts of a path, which may stand on lines of their own. */
const PARTS = /<\/?(?:wbr|span)\/?>/g;

/** What is sent at an address of the reference, and what pages name beside it. */
const fetched = async (gateway: Parameters<typeof send>[0], path: string) => {
  const page = await send(gateway, "GET", path, { headers: {} });
  return {
    ...page,
    names: [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, address]) => address!),
  };
};

test("/docs brings all its parts itself, under a policy that allows nothing inline", async () => {
  const gateway = await startGateway({ upstream: (_, res) => res.end() });
  const page = await fetched(gateway, "/docs");
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.headers["content-security-policy"]).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' https:\/\/octavo\.test;/,
  );
  const first = page.names.find((name) => /^\/docs\/[\w-]+$/.test(name))!;
  const operation = await fetched(gateway, first);
  const linked = new Set([...page.names, ...operation.names]);
  expect(linked.size).toBeGreaterThan(40);
  for (const address of linked)
    if (address !== "/v1/openapi.json")
      expect((await send(gateway, "GET", address, { headers: {} })).status, address).toBe(200);
  for (const { text } of [page, operation]) expect(text).not.toMatch(/<script>|<style|style="| on\w+="/);
  for (const gone of ["/docs/nothing", "/docs/..%2fpackage", "/docs/index.html", "/docs/%00"])
    expect([400, 404], gone).toContain((await send(gateway, "GET", gone, { headers: {} })).status);
  await gateway.stop();
});

test("every operation of the gateway's table has a page with its method and path, in the layout that sites use", async () => {
  const gateway = await startGateway({ upstream: (_, res) => res.end() });
  const list = await send(gateway, "GET", "/docs/operations.json", { headers: {} });
  const operations = JSON.parse(list.text) as { id: string; method: string; path: string }[];
  const described = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} /v1${path}`));
  const shape = (path: string) => path.replace(/\{[^}]*\}/g, "{}");
  const known = new Set([...described].map(shape));
  const lost = readRoutes().filter(({ method, path }) => !known.has(shape(`${method} ${path}`)));
  expect(lost.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  for (const { id, method, path } of operations) {
    const { status, text } = await send(gateway, "GET", `/docs/${id}`, { headers: {} });
    expect(status, id).toBe(200);
    const address = `<span class="method ${method}">${method.toUpperCase()}<code>${path}</code>`;
    expect(text.replaceAll(PARTS, ""), id).toContain(address);
    expect(text.match(/<h1/g), id).toHaveLength(1);
    expect(text, id).toContain('data-server="https://octavo.test/v1"');
    expect(text, id).not.toContain("base.invalid");
  }
  await gateway.stop();
});

test("no script of /docs stores anything that other pages of the origin could read", async () => {
  const gateway = await startGateway({ upstream: (_, res) => res.end() });
  for (const file of ["page.js", "try.js"]) {
    const { status, text } = await send(gateway, "GET", `/docs/${file}`, { headers: {} });
    expect(status).toBe(200);
    const calls =
      text.match(/(?:localStorage|sessionStorage|indexedDB|caches|document\.cookie|cookieStore)\b[^;\n]*/g) ??
      [];
    expect(calls, file).toEqual(file === "page.js" ? ['sessionStorage.removeItem("token")'] : []);
    expect(text, file).not.toMatch(/innerHTML|(?:from|import|fetch)\W{1,3}https?:/);
  }
  await gateway.stop();
});
