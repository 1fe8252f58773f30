import type { RequestListener } from "node:http";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import type { Ctx } from "../trpc.js";
import { MOST_PAGES } from "./material/material.js";
import { SOURCES, type Source } from "./material/sources.js";
import { runImport } from "./run.js";
import { hosts, zipOf, zipWith } from "./testing.js";

// Every importer against everything that may lie at an address: it ends with a reason, and the space stays as it was.

const t = await contentTest();
/** A client that is gone, for whom nobody waits: each import is run here. */
const gone = AbortSignal.abort();
const who = t.user({ acme: "admin" }, { id: "ada" });
const admin = t.call(who, { signal: gone });
const { serving, close } = hosts();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const body = (content: string | Buffer, type = "application/octet-stream"): RequestListener => {
  return (_, res) => void res.writeHead(200, { "content-type": type }).end(content);
};
const to =
  (location: string): RequestListener =>
  (_, res) =>
    void res.writeHead(302, { location }).end();

/** Imports what is served into a new space; returns the import as it ended. */
async function imported(source: Source, url: string, over: Partial<Ctx> = {}) {
  const spaceId = await t.space();
  const { import: importId } = await admin.contentImport.importContent({ spaceId, url, source });
  const context = { ...t.context(who, { signal: gone }), ...over };
  await runImport(context, importId, new AbortController().signal);
  return { spaceId, ended: await admin.imports.get({ spaceId, importId }) };
}

/** An import fails with a reason, and nothing has changed. */
async function expectRefused(source: Source, url: string, over?: Partial<Ctx>) {
  const { spaceId, ended } = await imported(source, url, over);
  expect(ended, source).toMatchObject({
    state: "failed",
    importedResources: 0,
    error: { message: expect.stringMatching(/^body\.url: ./) },
  });
  expect((await admin.content.pages({ spaceId })).pages).toEqual([]);
  expect((await admin.content.files({ spaceId })).items).toEqual([]);
}

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000100", "hex");
const ARCHIVES = ["docx", "zip", "confluence", "notion", "github-wiki", "google-docs"] as const;
const home = { name: "a.md", content: "# A\n" };
const archiveOf = (...files: Parameters<typeof zipOf>[0]) => zipOf([home, ...files]);

const everywhere: [string, (source: Source) => Promise<string>][] = [
  ["a port that nobody listens on", async () => "http://127.0.0.1:1/x"],
  ["a private address", async () => "http://10.0.0.1/x"],
  ["the address of a cloud's metadata", async () => "http://169.254.169.254/latest/meta-data"],
  ["a redirect to a private address", async () => `${await serving(to("http://192.168.0.1/x"))}/x`],
  ["a redirect to a file", async () => `${await serving(to("file:///etc/passwd"))}/x`],
  ["redirects in a circle", async () => `${await serving(to("/x"))}/x`],
  ["an address with nothing", async () => `${await serving((_, res) => void res.writeHead(404).end())}/x`],
  ["a host that fails", async () => `${await serving((_, res) => void res.writeHead(500).end())}/x`],
  ["a connection that breaks off", async () => `${await serving((_, res) => void res.destroy())}/x`],
  [
    "a length that is too large",
    async () =>
      `${await serving((_, res) => void res.writeHead(200, { "content-length": 10 ** 12 }).write("x"))}/x`,
  ],
  ["a picture", async () => `${await serving(body(PNG, "image/png"))}/x`],
  [
    "bytes that are no text",
    async () => `${await serving(body(Buffer.from([0xc3, 0x28, 0, 1]), "text/plain"))}/x`,
  ],
];

test.each(everywhere)(
  "from %s each importer takes nothing, and changes nothing",
  async (_, at) => {
    for (const source of SOURCES) await expectRefused(source, await at(source));
  },
  120_000,
);

const archives: [string, Buffer][] = [
  ["one that breaks off", archiveOf({ name: "b.md", content: "x".repeat(5000) }).subarray(0, -40)],
  ["a beginning and nothing behind", Buffer.from("PK\u0003\u0004 and no more")],
  ["a path that leads out", archiveOf({ name: "../../etc/cron.d/x.md", content: "# Out\n" })],
  ["an absolute path", archiveOf({ name: "/etc/x.md", content: "# Out\n" })],
  ["a path of Windows", archiveOf({ name: "C:\\x.md", content: "# Out\n" })],
  ["a text that is larger than it says", archiveOf({ name: "b.md", content: "x".repeat(100_000), size: 10 })],
  [
    "more files than are taken",
    zipOf(Array.from({ length: 20_001 }, (_, at) => ({ name: `${at}.md`, content: "" }))),
  ],
  ["100,000 files", zipOf(Array.from({ length: 100_000 }, (_, at) => ({ name: `${at}.md`, content: "" })))],
  ["nothing but a symbolic link", zipOf([{ name: "a.md", content: "/etc/passwd", mode: 0o120777 }])],
  ["nothing at all", zipOf([])],
];

test.each(archives)(
  "an archive with %s is refused by each importer of archives",
  async (_, content) => {
    for (const source of ARCHIVES)
      await expectRefused(source, `${await serving(body(content, "application/zip"))}/x`);
  },
  120_000,
);

test("an endless response is read up to the limit", async () => {
  const chunk = "x".repeat(1024 * 1024);
  const url = await serving((_, res) => {
    res.writeHead(200, { "content-type": "text/html" });
    const pump = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on("drain", pump);
    pump();
  });
  for (const source of ["website", "zip"] as const) await expectRefused(source, `${url}/x`);
});

test("a host that never responds ends each import", async () => {
  const url = await serving(() => undefined);
  const egress: Ctx["egress"] = {
    ...t.ctx.egress,
    fetch: (url, request) => t.ctx.egress.fetch(url, { ...request, timeoutMs: 50 }),
  };
  for (const source of SOURCES) await expectRefused(source, `${url}/x`, { egress });
});

test("a host that sends a byte now and then ends each import", async () => {
  const url = await serving((_, res) => {
    res.writeHead(200, { "content-type": "text/html" });
    const drip = setInterval(() => res.write("x"), 10);
    res.once("close", () => clearInterval(drip));
  });
  const egress: Ctx["egress"] = {
    ...t.ctx.egress,
    fetch: (url, request) => t.ctx.egress.fetch(url, { ...request, timeoutMs: 100 }),
  };
  for (const source of SOURCES) await expectRefused(source, `${url}/x`, { egress });
});

test("a website whose links have no end is imported up to the limit, with what is left out", async () => {
  let requests = 0;
  const url = await serving((req, res) => {
    requests += 1;
    const at = Number(/\d+/.exec(req.url!)?.[0] ?? 0);
    if (/robots|sitemap/.test(req.url!)) return void res.writeHead(404).end();
    const next = Array.from({ length: 300 }, (_, link) => `<a href="/x/${at * 300 + link + 1}">next</a>`);
    res
      .writeHead(200, { "content-type": "text/html" })
      .end(`<main><h1>Page ${at}</h1>${next.join(" ")}</main>`);
  });
  const { spaceId, ended } = await imported("website", `${url}/x`);
  expect(ended).toMatchObject({ state: "completed", skipped: [{ reason: "limit" }] });
  expect(requests).toBeLessThan(MOST_PAGES + 10);
  const { pages } = await admin.content.pages({ spaceId });
  expect(flatten(pages as Shown[]).length).toBeLessThanOrEqual(MOST_PAGES);
});

test("sitemaps that name each other, or name addresses elsewhere, end, and bring nothing from there", async () => {
  const asked: string[] = [];
  const url = await serving((req, res) => {
    asked.push(req.url!);
    const own = `http://${req.headers.host}`;
    const at = Number(/\d+/.exec(req.url!)?.[0] ?? 0);
    if (req.url === "/robots.txt")
      return void res.end(`Sitemap: http://10.0.0.1/sitemap.xml\nSitemap: ${own}/sitemap-1.xml\n`);
    if (req.url!.includes("sitemap"))
      return void res.end(
        `<sitemapindex><loc>${own}/sitemap-${at + 1}.xml</loc><loc>${own}/sitemap.xml</loc></sitemapindex>`,
      );
    res.writeHead(200, { "content-type": "text/html" }).end("<main><h1>Only page</h1></main>");
  });
  const { spaceId, ended } = await imported("website", `${url}/x`);
  expect(ended).toMatchObject({ state: "completed", importedResources: 1 });
  expect(asked.filter((path) => path.includes("sitemap")).length).toBeLessThan(25);
  expect((await admin.content.pages({ spaceId })).pages).toMatchObject([{ title: "Only page" }]);
});

test("a page on the web that refers to private addresses comes in, and nothing from there", async () => {
  const url = await serving(
    body(
      '<main><h1>Page</h1><img src="http://169.254.169.254/latest/x.png"><img src="http://10.0.0.1/x.png"></main>',
      "text/html",
    ),
  );
  for (const source of ["website", "html", "google-docs"] as const) {
    const { spaceId, ended } = await imported(source, `${url}/x`);
    expect(ended, source).toMatchObject({
      state: "completed",
      skipped: [{ reason: "unreachable", count: 2 }],
    });
    expect((await admin.content.files({ spaceId })).items).toEqual([]);
  }
});

const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
const BOMB = ["a0: &a0 [lol]", ...levels].join("\n");
const MARKUP = '#set page(fill: red) `= Title` $x$ <script>alert(1)</script> {% raw %} "#eval" @ref \\';

test("names and texts of every kind come in from each archive, and each page can be read", async () => {
  const files = {
    "a b.md": "# Space\r\n\r\n[there](<(x) [y].md>)\r\n",
    "(x) [y].md": "\uFEFF# Brackets\n",
    "caf\u00e9.md": "# Composed\n",
    "cafe\u0301.md": "# Decomposed\n",
    "#x?%20&.md": "# Signs\n",
    "\u65e5\u672c\u8a9e/\u05e9\u05dc\u05d5\u05dd.md": "# Scripts\n",
    "bomb.md": `---\n${BOMB}\n---\n\n# Bomb\n`,
    "self.md": '# Self\n\n{% include "self.md" %}\n\n![](self.md)\n',
    "markup.md": `# ${MARKUP}\n\n| ${MARKUP} |\n| --- |\n| ${MARKUP} |\n`,
    "long.md": `# ${"long ".repeat(1000)}\n`,
    "control.md": "# Bell \u0007 and escape \u001b\n",
  };
  for (const source of ["zip", "confluence", "notion", "github-wiki", "google-docs"] as const) {
    const { spaceId, ended } = await imported(source, `${await serving(body(zipWith(files)))}/x`);
    expect(ended, source).toMatchObject({ state: "completed" });
    const all = flatten((await admin.content.pages({ spaceId })).pages as Shown[]);
    const titles = all.map(({ title }) => title);
    for (const title of ["Space", "Brackets", "Composed", "Decomposed", "Signs", "Scripts", "Self"])
      expect(titles, source).toContain(title);
    const texts = all.filter(({ type }) => type === "document");
    expect(texts).toHaveLength(Object.keys(files).length);
    for (const { id: pageId } of texts)
      expect(await admin.content.page({ spaceId, pageId, format: "document" })).toBeDefined();
  }
});

const DEEP = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
test.each([
  ["MkDocs, whose aliases multiply", "mkdocs.yml", `site_name: x\nnav: *a12\n${BOMB}`],
  ["MkDocs, without an end of depth", "mkdocs.yml", `site_name: x\nnav: ${DEEP}`],
  ["MkDocs, that is no YAML", "mkdocs.yml", "site_name: x\nnav: [}"],
  ["Mintlify, without an end of depth", "docs.json", `{"navigation":${DEEP}}`],
  ["Mintlify, that is no JSON", "docs.json", '{"navigation":'],
  [
    "VitePress, without an end of depth",
    ".vitepress/config.js",
    `export default {themeConfig:{sidebar:${DEEP}}}`,
  ],
  ["VitePress, that is no JavaScript", ".vitepress/config.js", "export default {{{"],
  ["Docusaurus, without an end of depth", "docusaurus.config.js", `module.exports = {presets: ${DEEP}}`],
  ["Docusaurus, that is no JavaScript", "docusaurus.config.js", "module.exports = {{{"],
  ["Docusaurus, whose sidebars are code", "docusaurus.config.js", "module.exports = require('fs')"],
])(
  "settings of %s keep no page from coming in",
  async (_, name, settings) => {
    const zip = zipWith({ [name]: settings, "docs/one.md": "# One\n", "docs/two.md": "# Two\n" });
    const { spaceId, ended } = await imported("zip", `${await serving(body(zip))}/x`);
    expect(ended).toMatchObject({ state: "completed" });
    const titles = flatten((await admin.content.pages({ spaceId })).pages as Shown[]).map(
      ({ title }) => title,
    );
    expect(titles).toEqual(expect.arrayContaining(["One", "Two"]));
  },
  60_000,
);

interface Shown {
  id: string;
  type: string;
  title: string;
  pages?: Shown[];
}
const flatten = (pages: Shown[]): Shown[] => pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
