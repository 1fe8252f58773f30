import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { readAssets } from "../assets/assets.js";
import { createDrawing } from "../drawing/drawing.js";
import { mountOf } from "../http/mounts.js";
import { hashIn } from "../site/links.js";
import type { Place } from "../site/places.js";
import { createState, customization, group, keptResponse, page } from "../testing.js";
import { sendFile } from "./files.js";
import { sendList } from "./lists.js";
import { requestAt } from "./page-request.js";
import { sendSpecial } from "./special.js";

const HASH = "h".repeat(43);
const ROOT = "https://docs.example/";

/** A site whose header leads to another space, and how often the tree of that was asked for. */
function createSite() {
  let trees = 0;
  const pages = [group("guides", "Guides", [page("guides/start", "Start")])];
  const siteSpace = (id: string) => ({
    object: "site-space",
    id,
    title: id,
    urls: { published: `${ROOT}${id}/` },
    space: { id: `lazy-${id}`, revision: "r" },
  });
  const header = {
    preset: "default",
    links: [{ title: "Other", to: { kind: "space", space: "lazy-other" } }],
  };
  const look = {
    ...customization,
    header,
    footer: { groups: [] },
    internationalization: { locale: "en" },
  };
  const published = {
    site: { title: "Docs", visibility: "public", urls: { published: ROOT } },
    structure: { structure: [siteSpace("docs"), siteSpace("other")] },
    customizations: { site: look, siteSpaces: {} },
  };
  const content = {
    content: { pages: { query: async () => ({ pages: [], trees: ++trees }) } },
    shownPages: {
      space: { query: async () => ({ pages, files: [{ id: "f", hash: HASH }] }) },
    },
  };
  const place = {
    visitor: {
      caller: { token: "lazy", epoch: 1 },
      content,
      patient: { content },
      sites: { publishing: { getPublished: { query: async () => published } } },
    },
    organization: "o",
    site: "lazy",
    siteSpace: "docs",
    space: "lazy-docs",
    revision: "r",
    siteRoot: "/sites/lazy/",
    root: "/sites/lazy/docs/",
    siteBase: "/sites/lazy/",
    base: "/sites/lazy/docs/",
    siteCanonical: ROOT,
    canonical: `${ROOT}docs/`,
    isPrivate: false,
  };
  const state = createState();
  const assets = readAssets().below("/sites/");
  const drawing = createDrawing();
  async function get(path: string, headers: Record<string, string> = {}) {
    const { res, sent } = keptResponse();
    const mount = mountOf(new URL("https://octavo.example/sites"), `/sites/lazy/docs/${path}`);
    // Casts: the little of a request, and of a place, that is looked at.
    const req = { method: "GET", headers } as IncomingMessage;
    const request = (await requestAt(req, res, { mount, assets, drawing }, place as unknown as Place, 0))!;
    const hash = hashIn(request.path);
    if (hash) await sendFile(request, request.assets, hash);
    else await (sendSpecial(request, state) ?? sendList(request, state.bodies));
    return sent;
  }
  return { get, trees: () => trees };
}

test("the trees of other spaces are asked for where HTML is drawn that leads to them, and for nothing else", async () => {
  const { get, trees } = createSite();
  expect((await get("robots.txt")).status).toBe(200);
  expect((await get("llms.txt")).status).toBe(200);
  expect((await get(`~octavo/files/${HASH}/image.png`, { "if-none-match": `"${HASH}"` })).status).toBe(304);
  expect(trees()).toBe(0);
  expect((await get("~octavo/contents?part&page=guides")).text()).toContain("Start");
  expect(trees()).toBe(1);
});
