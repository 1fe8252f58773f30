import { block, type JSONDocument, leaf, paragraph, textNode } from "@octavo/markdown/document/nodes";
import { expect, test } from "vitest";
import { readAssets } from "../assets/assets.js";
import { createDrawing } from "../drawing/drawing.js";
import { spaceFrom } from "../site/space.js";
import { createState, customization, group, keptResponse, page } from "../testing.js";
import { wordsIn } from "../words/index.js";
import type { PageRequest } from "./page-request.js";
import { sendSpecial } from "./special.js";

const heading = block("heading-1", {}, [textNode([leaf("Faster")])]);
const update = block("update", { date: "2026-03-01" }, [heading]);
const changes: JSONDocument = { object: "document", data: {}, nodes: [update] };
const words: JSONDocument = {
  object: "document",
  data: {},
  nodes: [paragraph([textNode([leaf("Some words")])])],
};

/** What is sent at special paths of a space whose home page and first guide have updates; which pages were asked for. */
function createSite() {
  const asked: string[] = [];
  const pages = [
    page("news", "News"),
    group("guides", "Guides", [page("guides/log", "Log"), page("guides/plain", "Plain")]),
    group("none", "None", []),
  ];
  let space = spaceFrom("k", { files: [], pages });
  const query = async ({ pageId }: { pageId: string }) => {
    asked.push(pageId);
    const document = pageId === "guides/plain" ? words : changes;
    return { page: { type: "document" }, document: JSON.stringify(document) };
  };
  const visitor = { patient: { content: { shownPages: { page: { query } } } } };
  const base = "/sites/docs/";
  const place = { visitor, base, canonical: "https://docs.example/", space: "s", site: "site" };
  const site = {
    title: "A site",
    visibility: "public",
    spaces: [],
    customization,
    language: "en",
    spoken: "en",
    words: wordsIn("en"),
  };
  const drawing = createDrawing();
  const state = createState();
  async function get(path: string, query = "") {
    const { res, sent } = keptResponse();
    const request = {
      req: { method: "GET", headers: {} },
      res,
      place,
      site,
      space,
      drawing,
      path,
      query,
      assets: readAssets().below("/sites/"),
      customizationLinks: async () => ({ link: () => undefined }),
    };
    // Cast: what special paths look at, of all that a page is made of.
    await sendSpecial(request as unknown as PageRequest, state);
    return { status: sent.status, text: sent.text() };
  }
  const revise = () => {
    space = spaceFrom("l", { files: [], pages });
  };
  return { asked, get, drawing, revise };
}

test("each page with updates has a feed below its own path, also the first one, and a group that of its first page", async () => {
  const { get } = createSite();
  const feeds = {
    "rss.xml": "",
    "news/rss.xml": "",
    "guides/log/rss.xml": "guides/log",
    "guides/rss.xml": "guides/log",
  };
  for (const [path, at] of Object.entries(feeds)) {
    const { status, text } = await get(path);
    expect(status, path).toBe(200);
    expect(text).toContain(`<link>https://docs.example/${at}</link>`);
    expect(text).toContain("<title>Faster</title>");
  }
  for (const path of ["guides/plain/rss.xml", "nothing/rss.xml", "none/rss.xml"])
    expect((await get(path)).status, path).toBe(404);
});

test("a feed is made once for a version, and nothing of its page is drawn for it", async () => {
  const { get, asked, drawing, revise } = createSite();
  drawing.draw = () => Promise.reject(new Error("drawn"));
  const first = await get("news/rss.xml");
  expect(await get("rss.xml")).toEqual(first);
  expect(asked).toEqual(["news"]);
  revise();
  await get("news/rss.xml");
  expect(asked).toEqual(["news", "news"]);
});

test("the pages of a space are printed away from the thread on which others are drawn", async () => {
  const { get, drawing } = createSite();
  const text = (await get("~octavo/print")).text;
  expect(text).toContain("Some words");
  expect(drawing.done).toBe(3);
  await drawing.close();
});

test("a group is printed as its first page; without one there is nothing to print", async () => {
  const { get, asked } = createSite();
  const { status, text } = await get("~octavo/print", "?page=guides");
  expect([status, asked]).toEqual([200, ["guides/log"]]);
  expect(text).toContain("<h1>Log</h1>");
  expect(text).toContain("Faster");
  expect((await get("~octavo/print", "?page=none")).status).toBe(404);
});
