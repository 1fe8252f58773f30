import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createLog } from "@octavo/shared/log";
import { expect, onTestFinished, test } from "vitest";
import type { Drawing } from "./drawing/drawing.js";
import { createReader } from "./server.js";
import type { Upstreams } from "./site/upstreams.js";
import { customization, page } from "./testing.js";

const ROOT = "http://octavo.test/sites/docs/";

/** Fetches paths of a reader that shows one site, at `docs`, with a page at `guides/start`. */
async function createSite({ visibility = "public" } = {}) {
  const revision = { space: "s", revision: "r" };
  const find = async ({ url }: { url: string }) => ({
    ...{ ...revision, organization: "o", site: "site", siteSpace: "one", others: [] },
    ...{ siteBasePath: "/sites/docs/", basePath: "/sites/docs/", apiToken: `token of a ${visibility} site` },
    ...{ pathname: url.slice(ROOT.length - 1), canonicalUrl: url },
  });
  const published = {
    site: { title: "Docs", visibility, urls: { published: ROOT } },
    structure: { structure: [] },
    customizations: {
      ...{ site: { ...customization, internationalization: { locale: "en" }, footer: { groups: [] } } },
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
  const drawing = {} as Drawing; // Cast: no page is drawn.
  const log = createLog({ service: "reader", level: "silent" });
  const server = createReader({ upstreams, sites: "http://octavo.test/sites", drawing, log }).listen(0);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (path: string, init?: RequestInit) =>
    fetch(`${origin}/sites/docs/${path}`, { redirect: "manual", ...init });
}

test("all that is sent of a site that is not public says that it is not to be found", async () => {
  for (const [visibility, tag] of [
    ["public", null],
    ["unlisted", "noindex"],
  ] as const) {
    const get = await createSite({ visibility });
    const { status, headers } = await get("llms.txt");
    expect([status, headers.get("x-robots-tag")], visibility).toEqual([200, tag]);
  }
});
