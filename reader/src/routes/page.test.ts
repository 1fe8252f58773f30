import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { factsOf } from "../drawing/facts.js";
import type { MarkdownInput } from "../drawing/input.js";
import { writeMarkdown } from "../drawing/write-markdown.js";
import { createOptionalParts } from "../site/optional-parts.js";
import { spaceFrom } from "../site/space.js";
import { createState, group, keptResponse, page, shownPage } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { sendPage } from "./page.js";
import type { PageRequest } from "./page-request.js";

const state = createState();
const pages = Array.from({ length: 6 }, (_, at) => page(`${at}`, `Page ${at}`));

/** Somebody who sees a space by a key of its own, and the numbers of the pages whose text was asked for, in this order. */
function visitor(key: string, siteBase = "/sites/docs/") {
  const asked: number[] = [];
  const query = async ({ pageId }: { pageId: string }) => {
    asked.push(Number(pageId));
    return shownPage(`Page ${pageId} for ${key}`);
  };
  const place = {
    visitor: { patient: { content: { shownPages: { page: { query } } } } },
    space: "space",
    revision: "revision",
    siteBase,
    siteRoot: "/sites/docs/",
    base: siteBase,
    canonical: "https://docs.example/",
  };
  const site = { version: "1", visibility: "visitor-auth", spaces: [], spoken: "en", newTab: false };
  const drawing = {
    open: async (_: string, json: string) => ({ json, facts: factsOf(JSON.parse(json)) }),
    markdown: async (_: string, input: MarkdownInput) => writeMarkdown(input, JSON.parse(input.json)),
  };
  const space = spaceFrom(key, { pages, files: [] });
  /** What is sent at the markdown of a page. */
  async function open(at: number): Promise<string> {
    const sent: Buffer[] = [];
    const res = { writeHead: () => res, end: (body: Buffer) => void sent.push(body) };
    const req = { method: "GET", headers: {} };
    // Cast: the little that sending the markdown of a page looks at.
    const request = {
      ...{ req, res, place, site, space, drawing, parts: createOptionalParts() },
      ...{ path: `${at}.md`, query: "" },
    } as unknown as PageRequest;
    await sendPage(request, state);
    for (let turn = 0; turn < 50; turn += 1) await later();
    return String(sent[0]);
  }
  return { asked, open };
}

test("whoever reads pages in order is sent the next ones as they were drawn ahead, and nobody who sees others is", async () => {
  const one = visitor("one");
  await one.open(0);
  expect(one.asked).toEqual([0]);
  await one.open(1);
  expect(one.asked).toEqual([0, 1, 2]);
  expect(await one.open(2)).toContain("Page 2 for one");
  expect(one.asked).toEqual([0, 1, 2, 3, 4]);
  const other = visitor("other");
  expect(await other.open(2)).toContain("Page 2 for other");
  expect(other.asked).toEqual([2]);
});

test("where pages name our own files by different addresses, none is drawn ahead", async () => {
  const { asked, open } = visitor("forwarded", "https://docs.example/");
  for (const at of [0, 1, 2]) await open(at);
  expect(asked).toEqual([0, 1, 2]);
});

test("the markdown of a group is that of its first page, to which its address leads", async () => {
  const space = spaceFrom("groups", {
    files: [],
    pages: [group("guides", "Guides", [page("guides/start", "Start")])],
  });
  const place = { base: "/sites/docs/", canonical: "https://docs.example/" };
  const { res, sent } = keptResponse();
  const req = { method: "GET", headers: {} };
  // Cast: the little that leading elsewhere looks at.
  const request = {
    req,
    res,
    place,
    space,
    site: {},
    path: "guides.md",
    query: "?a",
  } as unknown as PageRequest;
  await sendPage(request, state);
  expect([sent.status, sent.headers.location]).toEqual([308, "/sites/docs/guides/start.md?a"]);
});

test("of a path that is no page's the markdown names the next ones, whatever their titles hold", async () => {
  const none = {
    query: () => Promise.reject(Object.assign(new Error("no"), { data: { code: "NOT_FOUND" } })),
  };
  const visitor = {
    caller: { token: "token" },
    content: { shownPages: { locate: none } },
    sites: { redirects: { getBySource: none } },
  };
  const root = "/sites/docs/";
  const place = { visitor, root, siteRoot: root, base: root, canonical: "https://docs.example/" };
  const space = spaceFrom("titles", { files: [], pages: [page("set-up", "Set up\n[all]")] });
  const { res, sent } = keptResponse();
  const req = { method: "GET", headers: {} };
  const site = { version: "1", words: wordsIn("en") };
  // Cast: the little that the markdown of a missing page is made of.
  const request = { req, res, place, space, site, path: "set.md", query: "" } as unknown as PageRequest;
  await sendPage(request, state);
  expect(sent.status).toBe(404);
  expect(sent.text()).toContain("- [Set up \\[all\\]](https://docs.example/set-up.md)");
});
