import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createDrawing } from "../drawing/drawing.js";
import { createProtocol } from "../mcp/protocol.js";
import { createOptionalParts } from "../site/optional-parts.js";
import { spaceFrom } from "../site/space.js";
import { customization, keptResponse, page, shownPage } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { sendMcp } from "./mcp.js";
import { NOT_STORED, type PageRequest } from "./page-request.js";

const protocol = createProtocol();
const drawing = createDrawing();
afterAll(() => Promise.all([protocol.close(), drawing.close()]));

const ROOT = "https://docs.example/";
const { nothing, notFound, thanks } = wordsIn("en");
const gone = () => Object.assign(new Error("no"), { data: { code: "NOT_FOUND" } });

/** Many paragraphs, and one that is longer than two parts. */
const PARAGRAPHS = [
  ...Array.from({ length: 10_000 }, (_, at) => `Line ${at} of a long book.`),
  "y".repeat(450_000),
];
const NOVEL = `# Novel\n\n${PARAGRAPHS.join("\n\n")}\n`;

/** The pages of the spaces of a site. */
const TREES = {
  guides: [page("start", "Start"), page("set-up", "Set up"), page("api", "Hidden behind a section")],
  api: [page("welcome", "Welcome"), page("set-up", "Set up [api]", [page("set-up/linux", "Linux")])],
  book: [page("novel", "Novel")],
  long: Array.from({ length: 1_200 }, (_, at) => page(`p${at}`, `P ${at}`)),
};
type Id = keyof typeof TREES | "gone";

/** A space where it lies in a site that is read below `/sites/acme/`, and has addresses on a host of its own. */
const linkTo = (id: Id) => {
  const path = id === "guides" ? "" : `${id}/`;
  return {
    id,
    section: `section of ${id}`,
    space: id,
    revision: "1",
    title: `The ${id}`,
    current: false,
    href: `/sites/acme/${path}`,
    canonical: ROOT + path,
  };
};

/**
 * The tools of a site with spaces, for a visitor of one of them; what was asked for. The visitor is not shown the space
 * `gone` any more, nor the last page of `api`.
 */
function createSite(spaces: Id[] = ["guides"], here: keyof typeof TREES = "guides") {
  const asked: unknown[] = [];
  const pages = async ({ spaceId }: { spaceId: Id }) => {
    asked.push(spaceId);
    if (spaceId === "gone") throw gone();
    return { pages: TREES[spaceId] };
  };
  const text = async ({ spaceId, pageId }: { spaceId: Id; pageId: string }) => {
    if (pageId === "set-up/linux") throw gone();
    return pageId === "novel" ? shownPage(...PARAGRAPHS) : shownPage(`${pageId} of ${spaceId}`);
  };
  const search = async ({ query }: { query: string }) => {
    asked.push(query);
    const items = spaces.map((id) => ({
      id,
      title: id,
      pages: [{ id: "set-up", path: "set-up", title: "Set up [it]", ancestors: [], sections: [] }],
    }));
    return { items };
  };
  const track = async ({ events }: { events: { location: unknown }[] }) =>
    void asked.push(events[0]!.location);
  const visitor = {
    caller: { token: randomUUID(), epoch: 0 },
    content: { content: { pages: { query: pages } } },
    sites: { insights: { trackEvents: { mutate: track } } },
    patient: {
      content: { shownPages: { page: { query: text } } },
      sites: { search: { search: { query: search } } },
    },
  };
  const { href: base, canonical } = linkTo(here);
  const place = {
    visitor,
    organization: "o",
    site: randomUUID(),
    siteSpace: here,
    space: here,
    revision: "1",
    siteRoot: "/sites/acme/",
    root: base,
    siteBase: "/sites/acme/",
    base,
    siteCanonical: ROOT,
    canonical,
    shareKey: "key",
  };
  const site = {
    title: "Acme",
    version: "1",
    customization,
    words: wordsIn("en"),
    spoken: "en",
    newTab: false,
    spaces: spaces.map(linkTo),
  };
  const space = spaceFrom(here, { files: [], pages: TREES[here] });
  /** The text that a tool returns; undefined where it refuses, by default since there is none. */
  async function use(name: string, given: object, refusal = notFound): Promise<string | undefined> {
    const { res, sent } = keptResponse();
    const req = { method: "POST", headers: { "content-type": "application/json" } };
    // Cast: what tools look at, of all that is shown.
    const request = {
      req,
      res,
      place,
      site,
      space,
      drawing,
      parts: createOptionalParts(),
    } as unknown as PageRequest;
    const params = { name, arguments: given };
    await sendMcp(request, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }), protocol);
    expect([sent.status, sent.headers["cache-control"]]).toEqual([200, NOT_STORED]);
    const { result } = JSON.parse(/\{.*\}/.exec(sent.text())![0]) as {
      result: { content: { text: string }[]; isError?: true };
    };
    const [{ text } = { text: "" }] = result.content;
    if (result.isError) expect(text).toBe(refusal);
    return result.isError ? undefined : text;
  }
  return { asked, use };
}

const endsWith = (text: string) => new RegExp(`^# .+\n\n${text}\n$`);

test("words that are none are found nowhere, and not looked for", async () => {
  const { use, asked } = createSite();
  for (const query of [" ", "\u0000\n"]) expect(await use("search", { query })).toBe(nothing);
  expect(asked).toEqual([]);
  await use("search", { query: " wombats " });
  expect(asked).toEqual(["wombats"]);
});

test("what is found and listed has the addresses for everybody, and is read by them in every section", async () => {
  for (const here of ["guides", "api"] as const) {
    const { use } = createSite(["guides", "api"], here);
    const found = await use("search", { query: "set" });
    const listed = await use("list_pages", {});
    for (const [address, text] of [
      [`${ROOT}set-up`, "set-up of guides"],
      [`${ROOT}api/set-up`, "set-up of api"],
    ] as const) {
      expect(found).toContain(`(${address})`);
      expect(listed).toContain(`(${address})`);
      expect(await use("get_page", { page: `${address}?a#b` }), here).toMatch(endsWith(text));
    }
  }
});

test("titles that are found are texts of links, whatever they hold", async () => {
  const { use } = createSite();
  expect(await use("search", { query: "set" })).toContain(`[Set up \\[it\\]](${ROOT}set-up)`);
});

test("a long page is read in parts, each of which says where the next one begins", async () => {
  const { use } = createSite(["book"], "book");
  const parts: string[] = [];
  for (let from: number | undefined = 0; from !== undefined; ) {
    expect(parts.length).toBeLessThan(6);
    const text: string = (await use("get_page", { page: "novel", from }))!;
    const [more = "", next] = /\nMore of this page: from (\d+)$/.exec(text) ?? [];
    parts.push(text.slice(0, text.length - more.length));
    from = next === undefined ? undefined : Number(next);
  }
  expect(parts.join("")).toBe(NOVEL);
  expect(parts[0]).toMatch(/ book\.\n+$/);
  expect(parts.length).toBe(5);
  const beyond = `from: is beyond the page, which has ${NOVEL.length} characters`;
  expect(await use("get_page", { page: "novel", from: NOVEL.length + 1 }, beyond)).toBeUndefined();
});

test("a page is named by paths below the site and the space that is shown, and the nearest space counts", async () => {
  const { use, asked } = createSite(["guides", "api", "long", "gone"]);
  const pages = {
    "": "start of guides",
    "/Set-Up.md": "set-up of guides",
    "/sites/acme/set-up": "set-up of guides",
    "api/set-up": "set-up of api",
    "/API/": "welcome of api",
    "/sites/acme/api/welcome": "welcome of api",
    [`${ROOT}api`]: "welcome of api",
    [ROOT]: "start of guides",
  };
  for (const [at, text] of Object.entries(pages))
    expect(await use("get_page", { page: at }), at).toMatch(endsWith(text));
  for (const at of [
    "api/none",
    "gone/set-up",
    `${ROOT}gone/`,
    "api/set-up/linux",
    "%E0%A4%A",
    "https://evil.example/",
  ])
    expect(await use("get_page", { page: at }), at).toBeUndefined();
  expect(asked).not.toContain("long");
  const other = createSite(["guides", "api"], "api");
  expect(await other.use("get_page", { page: "set-up" })).toMatch(endsWith("set-up of api"));
  expect(await other.use("get_page", { page: "start" })).toMatch(endsWith("start of guides"));
});

test("all pages of all sections are listed, so many at a time, and only as many spaces are looked into", async () => {
  const { use, asked } = createSite(["guides", "gone", "long", "api"]);
  const seen: string[] = [];
  let next: { section?: string; from?: number } | undefined = {};
  for (let times = 0; next; times += 1) {
    expect(times).toBeLessThan(4);
    const lines: string[] = (await use("list_pages", next))!.split("\n");
    const pages = lines.filter((line) => /^ *- /.test(line));
    expect(pages.length).toBeLessThanOrEqual(500);
    seen.push(...pages);
    const [, section, from] = /^More pages: section (\S+) from (\d+)$/.exec(lines.at(-1)!) ?? [];
    next = section === undefined ? undefined : { section, from: Number(from) };
    if (times === 0) expect(asked).toEqual(["gone", "long"]);
  }
  expect(seen.length).toBe(3 + 1_200 + 3);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.at(-1)).toBe(`  - [Linux](${ROOT}api/set-up/linux)`);
  expect(await use("list_pages", { section: `${ROOT}none/` })).toBeUndefined();
  const sections = createSite(Array.from({ length: 30 }, () => "gone"));
  expect(await sections.use("list_pages", {})).toMatch(/^More pages: section /m);
});

test("of a site that names no spaces, as of one that is not published, the one that is shown is listed", async () => {
  const { use } = createSite([]);
  expect(await use("list_pages", {})).toMatch(/^- \[Start\]\(https:\/\/docs\.example\/\)\n/);
});

test("readers say what they think of pages of other sections, too", async () => {
  const { use, asked } = createSite(["guides", "api"]);
  expect(await use("send_feedback", { page: "api/set-up", rating: "good" })).toBe(thanks);
  expect(asked.at(-1)).toMatchObject({
    url: `${ROOT}api/set-up`,
    siteSection: "section of api",
    siteSpace: "api",
    siteShareKey: "key",
    space: "api",
    page: "set-up",
  });
});
