import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Logger } from "@octavo/shared/log";
import { expect, onTestFinished, test } from "vitest";
import type { Drawing } from "./drawing/drawing.js";
import type { Protocol } from "./mcp/protocol.js";
import { createReader } from "./server.js";
import type { Upstreams } from "./site/upstreams.js";
import { customization, page } from "./testing.js";

const ROOT = "http://octavo.test/sites/docs/";

/** Fetches paths of a reader that shows one site, at `docs`, with a page at `guides/start`. */
async function createSite({ visibility = "public", isAway = false } = {}) {
  const revision = { space: "s", revision: "r" };
  const find = async ({ url }: { url: string }) => {
    if (isAway) throw new TypeError("fetch failed");
    return {
      ...revision,
      organization: "o",
      site: "site",
      siteSpace: "one",
      others: [],
      siteBasePath: "/sites/docs/",
      basePath: "/sites/docs/",
      apiToken: `token of a ${visibility} site`,
      pathname: url.slice(ROOT.length - 1),
      canonicalUrl: url,
    };
  };
  const published = {
    site: { title: "Docs", visibility, urls: { published: ROOT } },
    structure: { structure: [] },
    customizations: {
      site: { ...customization, internationalization: { locale: "en" }, footer: { groups: [] } },
      siteSpaces: {},
    },
  };
  const tree = { pages: [page("guides", "Guides", [page("guides/start", "Start")])], files: [] };
  const visitor = {
    caller: { token: `visitor of a ${visibility} site`, epoch: 0 },
    sites: { publishing: { getPublished: { query: async () => published } } },
    patient: { content: { shownPages: { space: { query: async () => tree } } } },
  };
  // Cast: what is asked of services, of all that could be.
  const nobody = { sites: { urls: { find: { query: find } } } };
  const upstreams = { nobody, visitor: async () => visitor } as unknown as Upstreams;
  // Casts: no page is drawn, and no program asks.
  const [drawing, protocol] = [{} as Drawing, {} as Protocol];
  const logged: { path?: string }[] = [];
  const log = { error: (fields: object) => logged.push(fields) } as unknown as Logger; // Cast: nothing else is logged.
  const server = createReader({
    upstreams,
    sites: "http://octavo.test/sites",
    drawing,
    protocol,
    log,
  }).listen(0);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string, init?: RequestInit) =>
    fetch(`${origin}/sites/docs/${path}`, { redirect: "manual", ...init });
  return { get, logged };
}

test("what could not be shown is logged by its path, without the query and without the key of a share link", async () => {
  const { get, logged } = await createSite({ isAway: true });
  expect((await get(`${"0123456789".repeat(4)}/guides/start?jwt_token=a.b.c`)).status).toBe(503);
  expect(logged.map(({ path }) => path)).toEqual(["/sites/docs/~/guides/start"]);
});

test("all that is sent of a site that is not public says that it is not to be found", async () => {
  for (const [visibility, tag] of [
    ["public", null],
    ["unlisted", "noindex"],
  ] as const) {
    const { get } = await createSite({ visibility });
    const { status, headers } = await get("llms.txt");
    expect([status, headers.get("x-robots-tag")], visibility).toEqual([200, tag]);
  }
});

test("encoded slashes of an address lead to the address with real ones, which is on the same host", async () => {
  const { get } = await createSite();
  for (const [path, location] of [
    ["guides%2Fstart?a=b%2Fc", "/sites/docs/guides/start?a=b%2Fc"],
    ["guides/%2f%2F/start.md", "/sites/docs/guides/start.md"],
    ["~octavo%2fsearch", "/sites/docs/~octavo/search"],
    ["%2F%2Fevil.example/", "/sites/docs//evil.example/"],
  ] as const) {
    const { status, headers } = await get(path);
    expect([status, headers.get("location")], path).toEqual([308, location]);
  }
  for (const path of ["a%2F..%2F..%2F..%2Fdocs", `~octavo/files/${"a".repeat(43)}/a%2Fb.png`])
    expect((await get(path)).status, path).toBe(404);
});

test("what is sent to a site and too long is refused", async () => {
  const { get } = await createSite();
  const post = (path: string, length: number) =>
    get(path, { method: "POST", body: "x".repeat(length), headers: { "sec-fetch-site": "same-origin" } });
  for (const path of ["~octavo/feedback", "~octavo/mcp"])
    expect((await post(path, 8 * 1024 * 1024)).status, path).toBe(413);
  expect((await post("~octavo/feedback", 64 * 1024)).status).toBe(404);
});
