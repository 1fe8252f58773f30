import { afterAll, beforeAll, expect, test } from "vitest";
import { createAppPages, type Publishable } from "./app-pages.js";
import { createRateLimit } from "./limits.js";
import { send, startGateway, type TestGateway } from "./testing.js";

let gateway: TestGateway;
let isAway = false;
const calls: Publishable[] = [];
beforeAll(async () => {
  gateway = await startGateway({
    upstream: (_, res) => res.end("service"),
    appPages: createAppPages({
      base: "http://octavo.test",
      app: "http://octavo.test/app",
      rate: createRateLimit(100),
      lookup: async (names) => {
        calls.push(names);
        if (isAway) throw new Error("away");
        const [id, path = ""] = "site" in names ? [names.site] : [names.space, names.page];
        if (id !== "open") return undefined;
        return { title: `<b>"Guide" & more`, published: `https://docs.test/${path}` };
      },
    }),
  });
});
afterAll(() => gateway.stop());
const get = (path: string, method = "GET") => send(gateway, method, path, { headers: {} });

test.each([
  ["/app/s/s1", "/spaces/s1"],
  ["/app/s/s1/", "/spaces/s1"],
  ["/app/s/s1/p1", "/spaces/s1/content/page/p1"],
  ["/app/s/s1/revisions/r1", "/spaces/s1/revisions/r1"],
  ["/app/s/s1/change-requests/12", "/spaces/s1/change-requests/12"],
  ["/app/c/c1", "/collections/c1"],
  ["/app/o/acme", "/orgs/acme"],
  ["/app/o/acme/sites/site_1", "/orgs/acme/sites/site_1"],
  ["/app/orgs/acme/openapi/pets", "/orgs/acme/openapi/pets"],
])("GET %s explains how to read it through the API", async (path, api) => {
  const { status, text, headers } = await get(path);
  expect(status).toBe(200);
  expect(text).toContain(`curl --header "Authorization: Bearer $OCTAVO_TOKEN" http://octavo.test/v1${api}<`);
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'/);
  expect([headers["cache-control"], headers["x-robots-tag"]]).toEqual(["no-store", "noindex"]);
});

test("what everybody may see is named, with where it is published, and nothing in it is markup", async () => {
  const space = (await get("/app/s/open")).text;
  expect(space).toContain("<h1>&lt;b&gt;&quot;Guide&quot; &amp; more</h1>");
  expect(space).toContain('<a href="https://docs.test/">');
  expect((await get("/app/s/open/p1")).text).toContain('<a href="https://docs.test/p1">');
  expect((await get("/app/o/acme/sites/open")).text).toContain(
    '<p>Site · published at <a href="https://docs.test/">',
  );
  expect(calls.at(-1)).toEqual({ organization: "acme", site: "open" });
});

test("hidden, unknown and unavailable things look alike", async () => {
  for (const folder of ["/app/s", "/app/o/acme/sites"]) {
    const plain = async (id: string) => (await get(`${folder}/${id}`)).text.replaceAll(id, "ID");
    const hidden = await plain("hidden1");
    expect(await plain("unknown1")).toBe(hidden);
    isAway = true;
    expect(await plain("open")).toBe(hidden);
    isAway = false;
  }
});

test("other paths are 404 as before, other methods 405, and no service is called", async () => {
  const before = calls.length;
  for (const path of ["/app", "/app/", "/app/x", "/app/s/", "/app/s/a/b/c", "/app/s/%3Cb%3E", "/app/c/a/b"])
    expect((await get(path)).status, path).toBe(404);
  expect((await get("/app/s/open", "POST")).status).toBe(405);
  expect(calls).toHaveLength(before);
});

test("an application elsewhere keeps its addresses", () => {
  const options = { base: "http://octavo.test", lookup: async () => undefined, rate: createRateLimit(1) };
  for (const app of ["https://app.octavo.test/app", "http://octavo.test/", "http://octavo.test:81/app"])
    expect(createAppPages({ ...options, app })).toBeUndefined();
});
