import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { importTest, PNG, zipOf, zipWith } from "./testing.js";

const t = await contentTest();
const { admin, serving, imported, treeOf, markdownAt, close } = importTest(t);
beforeAll(() => t.doJobs());
afterAll(async () => {
  await close();
  await t.drop();
});

test("markdown at an address becomes a page, with the images that it points to", async () => {
  const { spaceId, result, url } = await imported(
    "markdown",
    {
      "/docs/Setup guide.md": "# Set up\n\n![a](img/a.png) and [there](other.md)\n",
      "/docs/img/a.png": PNG,
      "/docs/Setup%20guide.md": "# Set up\n\n![a](img/a.png) and [there](other.md)\n",
    },
    "/docs/Setup%20guide.md",
  );
  expect(await treeOf(spaceId)).toEqual([["Set up", "Setup-guide"]]);
  expect(await markdownAt(spaceId, "Setup-guide")).toBe(
    `# Set up\n\n![a](.gitbook/assets/a.png) and [there](${url}/docs/other.md)\n`,
  );
  expect((await admin.content.files({ spaceId })).items).toMatchObject([
    { name: "a.png", contentType: "image/png" },
  ]);
  expect(result).toMatchObject({ importedResources: 2, totalResources: 2 });
});

test("an import is refused when its caller lost the right while the address was fetched", async () => {
  const losses = [
    ["NOT_FOUND", async () => t.directory.leave("acme", "eve")],
    ["CONFLICT", async () => t.directory.member("acme", { user: "eve", role: "read", teams: [] })],
    [
      "NOT_FOUND",
      (spaceId: string) =>
        t.as({ acme: "admin", beta: "admin" }).spaces.transfer({ spaceId, organization: "beta" }),
    ],
  ] as const;
  for (const [code, lose] of losses) {
    const spaceId = await t.space();
    t.directory.member("acme", { user: "eve", role: "edit", teams: [] });
    const eve = t.as({ acme: "edit" }, { id: "eve" });
    const { url } = await serving({ "/guide.md": "# Guide\n" }, () => lose(spaceId));
    const importing = eve.contentImport.importContent({
      spaceId,
      url: `${url}/guide.md`,
      source: "markdown",
    });
    await expect(importing).rejects.toMatchObject({ code });
    const owner = t.as({ acme: "admin", beta: "admin" });
    expect((await owner.content.pages({ spaceId })).pages).toEqual([]);
  }
});

test("HTML becomes markdown: the main part alone, with no syntax that was not there", async () => {
  const html = `<!doctype html><html><head><title>Ignored</title><meta name="description" content="About it">
    <script>alert(1)</script></head><body><nav><a href="/">Home</a></nav><main><h1>Title</h1>
    <p>Words <b>bold</b> <a href="https://example.com/a_(b)">out</a> {% hint %} $$x$$ &lt;b&gt; *star*</p>
    <pre><code class="language-js">let a = "{% raw %}";\n</code></pre>
    <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2|3</td></tr></table></main><footer>Foot</footer></body></html>`;
  const { spaceId } = await imported("html", { "/x": html });
  const text = await markdownAt(spaceId, "x");
  expect(text).toContain("description: About it");
  expect(text).toContain("# Title");
  expect(text).toContain("**bold**");
  expect(text).toContain('```js\nlet a = "{% raw %}";');
  expect(text).toContain("\\{% hint");
  expect(text).not.toMatch(/alert|Home|Foot|\s\$\$x/);
  expect(text).toMatch(/\| A +\| B +\|/);
});

test("an archive of markdown is imported in the order of its folders, with links and files", async () => {
  const zip = zipWith({
    "docs/README.md": "# Home\n\n[One](guide/one.md#part), ![](img/a%20b.png), [gone](gone.md)\n",
    "docs/guide/index.html": "<h1>Guide</h1><p><a href='../README.md'>Up</a> <img src='/img/a b.png'></p>",
    "docs/guide/one.md": "One\n===\n\n[Home](/README.md)\n",
    "docs/img/a b.png": PNG,
    "__MACOSX/x.md": "no",
    "docs/.DS_Store": "no",
  });
  const { spaceId, result } = await imported("zip", { "/x": zip });
  expect(await treeOf(spaceId)).toEqual([
    ["Home", "home"],
    ["Guide", "guide", [["One", "guide/one"]]],
  ]);
  expect(await markdownAt(spaceId, "home")).toBe(
    "# Home\n\n[One](guide/one.md#part), ![](.gitbook/assets/a%20b.png), [gone](gone.md)\n",
  );
  expect(await markdownAt(spaceId, "guide")).toContain("[Up](home.md) ![](<.gitbook/assets/a%20b.png>)");
  expect(result.importedResources).toBe(4);
});

test("a table of contents in an archive is its navigation", async () => {
  const { spaceId } = await imported("zip", {
    "/x": zipWith({
      "SUMMARY.md":
        "# Contents\n\n* [Second](b.md)\n* [First](a.md)\n\n## Group\n\n* [Out](https://example.com)\n",
      "a.md": "# A\n",
      "b.md": "# B\n",
    }),
  });
  expect(await treeOf(spaceId)).toEqual([
    ["Second", "b"],
    ["First", "a"],
    ["Group", "group", [["Out", undefined]]],
  ]);
});

test("archives that would lead out, lie about sizes or are none are refused, and change nothing", async () => {
  const spaceId = await t.space();
  const before = await admin.content.revision({ spaceId });
  const cases: [string, Buffer][] = [
    ["out", zipWith({ "../../etc/cron.d/x.md": "# X\n" })],
    ["absolute", zipWith({ "/etc/x.md": "# X\n" })],
    ["liar", zipOf([{ name: "a.md", content: "a".repeat(2_000_000), size: 10 }])],
    ["none", Buffer.from("PK\u0003\u0004 nothing of the kind")],
    ["empty", zipWith({ "a.txt": "no page" })],
  ];
  const { url } = await serving(Object.fromEntries(cases.map(([name, zip]) => [`/${name}`, zip])));
  for (const [name] of cases) {
    const refused = admin.contentImport.importContent({ spaceId, url: `${url}/${name}`, source: "zip" });
    await expect(refused, name).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  expect(await admin.content.revision({ spaceId })).toEqual(before);
});

test("links and encrypted files in an archive are left out, and named", async () => {
  const zip = zipOf([
    { name: "README.md", content: "# Home\n\n![](secret.png)\n" },
    { name: "secret.png", content: "/etc/passwd", mode: 0o120777 },
    { name: "locked.md", content: "# No\n", flags: 0x801 },
    { name: "binary.md", content: Buffer.from([0xff, 0xfe, 0x00]) },
  ]);
  const { spaceId, result } = await imported("zip", { "/x": zip });
  expect(await treeOf(spaceId)).toEqual([["Home", "home"]]);
  expect(result.skipped).toMatchObject([
    { reason: "symlink", count: 1, paths: ["secret.png"] },
    { reason: "encrypted", count: 1, paths: ["locked.md"] },
    { reason: "unreadable", count: 1, paths: ["binary.md"] },
  ]);
  expect(result.totalResources).toBe(result.importedResources + 3);
});

test("a document of a word processor becomes a page with its images", async () => {
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const docx = zipWith({
    "[Content_Types].xml":
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels":
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": `<?xml version="1.0"?><w:document ${word}><w:body><w:p><w:r><w:t>Plain words {% x %}</w:t></w:r></w:p><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Bold</w:t></w:r></w:p></w:body></w:document>`,
  });
  const { spaceId } = await imported("docx", { "/Report.docx": docx }, "/Report.docx");
  const text = await markdownAt(spaceId, "Report");
  expect(text).toContain("Plain words \\{% x");
  expect(text).toContain("**Bold**");
  const { url } = await serving({ "/x": "words" });
  const refused = admin.contentImport.importContent({ spaceId, url: `${url}/x`, source: "docx" });
  await expect(refused).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

const page = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><header>Menu</header><main><h1>${title}</h1>${body}</main></body></html>`;

test("a website is imported from an address down, by its robots.txt and sitemap", async () => {
  const site: Record<string, string | Buffer> = {
    "/robots.txt": "User-agent: *\nDisallow: /docs/private\n",
    "/docs": page(
      "Docs",
      '<p><a href="/docs/guide/">Guide</a> <a href="/other">Other</a> <a href="/docs/private/x">P</a></p>',
    ),
    "/docs/guide": page("Guide", '<p><a href="../docs/guide/one#part">One</a><img src="/img/a.png"></p>'),
    "/docs/guide/": page("Guide", '<p><a href="one#part">One</a><img src="/img/a.png"></p>'),
    "/docs/guide/one": page("One", '<p><a href="/docs">Up</a> <a href="/docs/missing">Gone</a></p>'),
    "/docs/lonely": page("Lonely", "<p>Only the sitemap knows.</p>"),
    "/docs/private/x": page("Private", "<p>No.</p>"),
    "/other": page("Other", "<p>No.</p>"),
    "/img/a.png": PNG,
  };
  const server = await serving(site);
  site["/sitemap.xml"] =
    `<?xml version="1.0"?><urlset><url><loc>${server.url}/docs/lonely</loc></url><url><loc>https://elsewhere.example/docs/x</loc></url></urlset>`;
  const spaceId = await t.space();
  const result = await admin.contentImport.importContent({
    spaceId,
    url: `${server.url}/docs`,
    source: "website",
  });
  expect(await treeOf(spaceId)).toEqual([
    ["Docs", "docs"],
    ["Guide", "guide", [["One", "guide/one"]]],
    ["Lonely", "lonely"],
  ]);
  expect(await markdownAt(spaceId, "guide")).toContain("[One](guide/one.md#part)![](.gitbook/assets/a.png)");
  expect(await markdownAt(spaceId, "guide/one")).toContain("[Up](../docs.md)");
  expect(server.asked).not.toContain("/docs/private/x");
  expect(server.asked).not.toContain("/other");
  expect(result.skipped).toMatchObject([
    { reason: "robots", count: 1 },
    { reason: "unreachable", count: 1, paths: [`${server.url}/docs/missing`] },
  ]);
});

test("an import goes below a page, into a change request, behind what is there, and of equal slugs both stay", async () => {
  const { spaceId } = await imported("markdown", { "/x": "# One\n" });
  const { url } = await serving({ "/x": "# Again\n" });
  await admin.contentImport.importContent({ spaceId, url: `${url}/x`, source: "markdown" });
  expect(await treeOf(spaceId)).toEqual([
    ["One", "x"],
    ["Again", "x-1"],
  ]);
  const { id: pageId } = await admin.content.pageAtPath({ spaceId, pagePath: "x" });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const into = { spaceId, changeRequestId, url: `${url}/x`, source: "markdown" as const };
  await admin.changeRequestImport.importIntoPage({ ...into, pageId });
  await admin.changeRequestImport.importContent(into);
  expect(await treeOf(spaceId)).toHaveLength(2);
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  expect(await treeOf(spaceId)).toEqual([
    ["One", "x", [["Again", "x/x"]]],
    ["Again", "x-1"],
    ["Again", "x-2"],
  ]);
  await expect(
    admin.contentImport.importIntoPage({ spaceId, pageId: "nobody", url: `${url}/x`, source: "markdown" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("POST content/import refuses who may not edit, private addresses, what is not there, and wrong sources", async () => {
  const spaceId = await t.space();
  const { url, asked } = await serving({ "/to": "302 http://10.0.0.1/x" });
  const input = { spaceId, url: `${url}/x`, source: "markdown" as const };
  const reader = t.as({ acme: "read" }, { id: "reader" });
  await expect(reader.contentImport.importContent(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(t.as({ beta: "admin" }).contentImport.importContent(input)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(asked).toEqual([]);
  for (const bad of [
    { url: `${url}/missing` },
    { url: "http://10.1.2.3/x" },
    { url: `${url}/to` },
    { url: "http://127.0.0.1:1/x" },
    { url: "file:///etc/passwd" },
    { source: "tarball" as never },
  ])
    await expect(
      admin.contentImport.importContent({ ...input, ...bad }),
      JSON.stringify(bad),
    ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await treeOf(spaceId)).toEqual([]);
});

test("documents that nest without an end are refused", async () => {
  const spaceId = await t.space();
  const { url } = await serving({ "/deep": `<html><body>${"<div>".repeat(50_000)}x` });
  const refused = admin.contentImport.importContent({ spaceId, url: `${url}/deep`, source: "html" });
  await expect(refused).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test.each([
  ["an archive", { "a/b.md": "COVER", "a/img/day one.png": PNG }, "b"],
  [
    "a site of Docusaurus",
    {
      "docusaurus.config.js": "module.exports = { presets: [['classic', { docs: {} }]] };",
      "docs/a/b.md": "COVER",
      "docs/a/img/day one.png": PNG,
    },
    "b",
  ],
])(
  "a cover that the frontmatter of a text in %s names is a file, and the page's cover",
  async (_, files, name) => {
    const text =
      "---\ntitle: B\ncover: ./img/day%20one.png # kept\ncoverDark: https://example.com/dark.png\ncoverY: 5\n---\n\n# B\n";
    const filled = Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, content === "COVER" ? text : content]),
    );
    const { spaceId } = await imported("zip", { "/x": zipWith({ ...filled, "docs/a/c.md": "# C\n" }) });
    const { pages, files: kept } = await admin.content.revision({ spaceId });
    expect(kept).toMatchObject([{ name: "day one.png" }]);
    const all = (shown: object[]): object[] =>
      shown.flatMap((page) => [page, ...all((page as { pages?: object[] }).pages ?? [])]);
    const page = all(pages).find((page) => "title" in page && page.title === "B") as {
      id: string;
      slug: string;
    };
    expect(page).toMatchObject({
      slug: name,
      cover: {
        ref: { kind: "file", file: kept[0]!.id },
        refDark: { kind: "url", url: "https://example.com/dark.png" },
        yPos: 5,
      },
    });
    // An edit of the page reads its text again.
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const edited = { operation: "update_page" as const, page: page.id, document: { markdown: "More.\n" } };
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [edited] });
    await admin.changeRequests.merge({ spaceId, changeRequestId });
    expect(await admin.content.page({ spaceId, pageId: page.id })).toMatchObject({
      cover: { ref: { kind: "file", file: kept[0]!.id } },
    });
  },
);

test("a cover that is not there, or no image, is reported, and the text says what it said", async () => {
  const text = "---\ncover: img/none.png\ncoverDark: words.txt\n---\n\n# A\n";
  const { spaceId, result } = await imported("zip", {
    "/x": zipWith({ "a.md": text, "words.txt": "words" }),
  });
  expect(result.skipped).toMatchObject([{ reason: "unreadable", paths: ["words.txt"] }]);
  expect(await markdownAt(spaceId, "a")).toBe(text);
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([{ title: "A" }]);
});
