import { expect, test } from "vitest";
import { type Block, blocksOf } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

// What documentation repositories hold, in their style: each is read as what it means, and written as it was.

const read = (markdown: string) => parseDocument(markdown, { body: true });
const one = (markdown: string): Block => read(markdown).nodes[0]!;
const stays = (markdown: string) => expect(renderDocument(read(markdown))).toBe(markdown);
const grid = (cell: string, head = '<th width="90">A</th>') =>
  `<table><thead><tr>${head}</tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>\n`;
const cellOf = (node: Block): Block[] => node.fragments![0]!.nodes;
const isKept = (value: unknown) => JSON.stringify(value).includes('"verbatim":true');

test.each([
  [
    "a sticky head",
    "<table data-header-hidden data-header-sticky><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>\n",
  ],
  [
    "a head that is shown",
    '<table data-header-hidden="false" data-search="false"><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>\n',
  ],
  [
    "cards that wrap",
    '<table data-view="cards" data-card-wrap><thead><tr><th></th><th data-hidden="true" data-note="x"></th></tr></thead><tbody><tr class="x"><td style="color: red">a</td><td></td></tr></tbody></table>\n',
  ],
  [
    "titles of columns that are hidden",
    '<table data-card-size="large" data-column-title-hidden data-view="cards" data-full-width="false"><thead><tr><th></th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>\n',
  ],
  ["widths of other units", grid("a", '<th width="50%">A</th>')],
  ["a broken width", grid("a", '<th width="108.126220703125">A</th>')],
  [
    "aligned cells",
    '<table><thead><tr><th align="center" valign="top">A</th></tr></thead><tbody><tr><td align="center" valign="top">a</td></tr></tbody></table>\n',
  ],
  [
    "a cell of another alignment",
    '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td align="right">a</td></tr></tbody></table>\n',
  ],
  [
    "merged cells",
    '<table><tbody><tr><td colspan="2">a</td><td rowspan="2">b</td></tr><tr><td>c</td></tr></tbody></table>\n',
  ],
  [
    "heads of rows",
    "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><th>a</th><td>b</td></tr></tbody></table>\n",
  ],
  ["a plain table", "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>\n"],
  ["an unknown type of a column", grid("2026-01-01", '<th data-type="date">A</th>')],
  [
    "a select of options with labels",
    '<table><thead><tr><th>S<select multiple><option value="x" label="Done" color="blue"></option><option value="y" label="A &amp; b" color=""></option></select></th></tr></thead><tbody><tr><td><span data-option="x">Done</span>, <span data-option="y">Old name</span></td></tr></tbody></table>\n',
  ],
  [
    "a head, a list and a paragraph",
    grid('<h4>Head</h4><p>Text<br>more</p><ol start="3"><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ol>'),
  ],
  ["a paragraph alone", grid("<p>Text</p>")],
  [
    "tasks",
    grid(
      '<ul class="contains-task-list"><li><input type="checkbox" checked>a</li><li><input type="checkbox">b</li></ul>',
    ),
  ],
  [
    "a mention and a link elsewhere",
    grid(
      '<a href="a.md" title="mention">a.md</a> <a href="https://a.example" target="_blank" rel="noopener">there</a>',
    ),
  ],
  ["an icon in color", grid('<h3><i class="fa-rocket" style="color:$primary;">:rocket:</i></h3>')],
  ["a word in the color of the theme", grid('<mark style="color:$tint;">x</mark>')],
  [
    "code",
    grid(
      '<pre class="language-json"><code class="lang-json">{\n  "a": &lt;b>\n}</code></pre>'.replace(
        "&lt;b>",
        "&lt;b&gt;",
      ),
    ),
  ],
  [
    "a hint",
    grid(
      '<p>Text</p><div data-gb-custom-block data-tag="hint" data-style="warning" class="hint hint-warning"><p><strong>Note</strong>: careful</p><ul><li>a</li></ul></div>',
    ),
  ],
  ["a quote and a rule", grid("<blockquote>Text</blockquote><hr>")],
  ["a sized image", grid('<img src="a.png" alt="A" width="200">')],
  [
    "a figure",
    grid('<figure><img src="a.png" alt="" width="375"><figcaption><p>Caption</p></figcaption></figure>'),
  ],
])("a table with %s", (_, markdown) => {
  expect(one(markdown).type).toBe("table");
  stays(markdown);
});

test.each([
  ["a folder", "overview/", "overview"],
  ["a folder's own page", "folder/README.md", "folder/README.md"],
  ["a page by its title", "a.md", "Read <b>on</b>".replace(/<\/?b>/g, "")],
  ["what is gone", "broken-reference", "Broken link"],
  ["what is elsewhere", "https://www.example.com/a", "https://www.example.com/a"],
  ["the folder above", "../", ".."],
])("the target of a card keeps its words: %s", (_, url, label) => {
  const head = '<th></th><th data-hidden data-card-target data-type="content-ref"></th>';
  const markdown = `<table data-view="cards"><thead><tr>${head}</tr></thead><tbody><tr><td>a</td><td><a href="${url}">${label}</a></td></tr></tbody></table>\n`;
  expect(one(markdown).data).toMatchObject({ records: { r1: { values: { c2: { kind: "url", url } } } } });
  stays(markdown);
  const address = () => "moved/b.md";
  const resolve = () => ({ kind: "page", page: "p1" });
  expect(renderDocument(parseDocument(markdown, { body: true, resolve }), { address })).toContain(
    '<a href="moved/b.md">b.md</a>',
  );
});

test.each([
  ["an element", 'a <span style="color:red">b</span> <u>c</u>', 4],
  ["an element that does not end", "a <b>b", 1],
  ["an end without a start", "a</b> b", 1],
  ["a comment", "a <!-- b --> c", 1],
  ["a frame", '<iframe src="https://a.example"></iframe>', 1],
  ["a division", '<p>a</p><div class="x"><p>b</p></div>', 1],
  ["a table in a table", "<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>", 1],
])("%s in a cell costs no more than itself", (_, cell, count) => {
  const markdown = grid(cell);
  expect(one(markdown).type).toBe("table");
  expect(JSON.stringify(one(markdown)).split('"verbatim":true').length - 1).toBe(count);
  stays(markdown);
});

test("a cell that is not of its column's type is what stands in it", () => {
  const markdown = grid("about 5", '<th data-type="number">A</th>');
  const { records } = one(markdown).data as { records: object };
  expect(records).toEqual({ r1: { orderIndex: "1", values: {}, cells: { c1: { fragment: "r1-c1" } } } });
  expect(cellOf(one(markdown))).toMatchObject([{ type: "paragraph" }]);
  stays(markdown);
});

test("the title of a column is plain text, whatever its header cell holds", () => {
  const markdown = grid(
    "a",
    '<th><p>Column <code>Type</code></p><p class="x">Description</p><!-- c --></th>',
  );
  expect(one(markdown).data).toMatchObject({ definition: { c1: { title: "Column Type Description" } } });
  stays(markdown);
  const pipes = "| <p>Column Type</p><p>Description</p> | one<br>two |\n| --- | --- |\n| a | b |\n";
  expect(one(pipes).data).toMatchObject({
    definition: { c1: { title: "Column Type Description" }, c2: { title: "one two" } },
  });
  stays(pipes);
});

test("cells and rows whose ends are not written are read as in HTML", () => {
  const { data } = one("<table><tr><th>A<th>B<tr><td>a<td>b</table>\n");
  expect(data).toMatchObject({ definition: { c1: { title: "A" }, c2: { title: "B" } } });
  expect(Object.keys((data as { records: object }).records)).toEqual(["r1"]);
});

test.each([
  [
    "a caption",
    '<table><caption class="x"><strong>Plans</strong> <code class="expression">space.vars.a</code></caption><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>\n',
  ],
  [
    "an empty caption",
    "<table><caption></caption><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>\n",
  ],
  [
    "a caption of blocks",
    "<table><caption><p>One</p><ul><li>two</li></ul></caption><tbody><tr><td>a</td></tr></tbody></table>\n",
  ],
  [
    "rows of a foot",
    '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td></tr></tbody><tfoot class="x"><tr><th>Sum</th></tr><tr class="y"><td>1</td></tr></tfoot></table>\n',
  ],
  [
    "nothing but a head and a foot",
    "<table><thead><tr><th>A</th></tr></thead><tbody></tbody><tfoot><tr><td>a</td></tr></tfoot></table>\n",
  ],
  [
    "comments around rows",
    "<table><!-- head --><thead><tr><th>A</th></tr></thead><tbody><!-- one --><!-- <tr><td>x</td></tr>\n\ny --><tr><td>a</td></tr><!-- two --><tr><td>b</td></tr></tbody><tfoot><!-- foot --><tr><td>c</td></tr></tfoot><!-- a regular expression --></table>\n",
  ],
])("a table with %s is read, and written as it was", (_, markdown) => {
  expect(one(markdown).type).toBe("table");
  expect(JSON.stringify(one(markdown)).split('"verbatim":true')).toHaveLength(
    JSON.stringify(one(markdown)).split('"hidden":true').length,
  );
  stays(markdown);
  stays(`* a\n\n${markdown.replace(/^(?=.)/gm, "  ")}`);
});

test("the caption, the foot and the comments of a table are data of the table and its records", () => {
  const { data, fragments } = one(
    '<table>\n<caption align="bottom">Plans</caption>\n<!-- a -->\n<tfoot><tr><td>Sum</td></tr></tfoot>\n<tr><td>a</td><!-- b --></tr>\n<!-- c -->\n</table>\n',
  );
  expect(data).toMatchObject({
    caption: { fragment: "caption", attributes: { align: "bottom" } },
    comments: { end: "end-comments" },
    records: { r1: { comments: "r1-comments" }, r2: { foot: true, comments: "r2-comments" } },
  });
  const texts = fragments!.map(({ fragment, nodes }) => [
    fragment,
    JSON.stringify(nodes).match(/"text":"([^"]*)"/)![1],
  ]);
  expect(texts).toEqual([
    ["caption", "Plans"],
    ["r1-comments", "<!-- b -->"],
    ["r1-c1", "a"],
    ["r2-comments", "<!-- a -->"],
    ["r2-c1", "Sum"],
    ["end-comments", "<!-- c -->"],
  ]);
});

test.each([
  "<table><caption>{% if visitor.a %}</caption><tbody><tr><td>a</td></tr></tbody></table>\n",
  "<table><tbody><!-- {% if visitor.a %} --><tr><td>a</td></tr></tbody></table>\n",
  '<table><tbody><!-- <code class="expression"> --><tr><td>a</td></tr></tbody></table>\n',
  "<table><caption>a</caption><caption>b</caption><tbody><tr><td>a</td></tr></tbody></table>\n",
  "<table><caption>a<tbody><tr><td>a</td></tr></tbody></table>\n",
])("a table whose parts may hide what comes behind them, or are not whole, is kept: %s", (markdown) => {
  expect(one(markdown).type).toBe("code");
  stays(markdown);
});

test("a comment without an end hides what it hid", () => {
  expect(isKept(one(grid("a <!-- b")))).toBe(true);
  expect(one(grid("a <!-- b")).type).toBe("code");
});

test.each([
  [
    "lists",
    "| A |\n| --- |\n| <ul><li>a **b** `c\\|d`</li><li>e<ol><li>f</li></ol></li></ul> |\n",
    ["list-unordered"],
  ],
  [
    "paragraphs",
    "| A |\n| --- |\n| <p>a</p><p>b &lt; c</p> |\n".replace("&lt;", "<"),
    ["paragraph", "paragraph"],
  ],
  ["a paragraph", "| A |\n| --- |\n| <p>a</p> |\n", ["paragraph"]],
])("%s in a cell of pipes", (_, markdown, types) => {
  expect(cellOf(one(markdown)).map(({ type }) => type)).toEqual(types);
  expect(isKept(one(markdown))).toBe(false);
  stays(markdown);
});

test("pipes are between cells, also in code, unless they are escaped; what is too much is kept", () => {
  const markdown = "| A | B |\n| --- | --- |\n| `a\\|b` | c |\n| `d|e` | f |\n";
  const { fragments } = one(markdown);
  const words = fragments!.map(({ nodes }) => JSON.stringify(nodes).match(/"text":"([^"]*)"/)?.[1]);
  expect(words).toEqual(["a|b", "c", "`d", "e`", "f"]);
  expect(renderDocument(read(markdown))).toBe(markdown.replace("`d|e`", "\\`d | e\\`"));
});

test.each([
  [
    "hint",
    '<div data-gb-custom-block data-tag="hint" data-style="info" class="hint hint-info"><h3>Note</h3><p>Text</p></div>\n',
  ],
  [
    "list-ordered",
    '1. a\n\n   <div data-gb-custom-block data-tag="hint" data-style="info" data-icon="pencil" class="hint hint-info"><p>Text</p></div>\n2. b\n'.replace(
      "\n2.",
      "\n\n2.",
    ),
  ],
  ["images", '<div align="center"><img src="a.png" alt="" width="375"></div>\n'],
  [
    "images",
    '<div align="left" class="x"><figure><img src="a.png" alt="" data-size="line"><figcaption></figcaption></figure></div>\n',
  ],
  ["paragraph", "<p>Text <strong>bold</strong></p>\n"],
  ["paragraph", '<p align="center"><img src="a.png" alt="" width="200"> <u>x</u></p>\n'],
  ["list-unordered", "<ul><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ul>\n"],
  ["heading-2", "<h3>Head</h3>\n"],
  ["blockquote", "<blockquote>a</blockquote>\n"],
  [
    "paragraph",
    '<a href="https://a.example" target="_blank">**a**</a> <img src="b.png" alt="" width="20">\n',
  ],
  [
    "paragraph",
    '<mark style="color:$tint;">x</mark> <i class="fa-rocket" style="color:$primary;">:rocket:</i>\n',
  ],
])("%s: HTML that is read as that block and written as it was", (type, markdown) => {
  expect(one(markdown).type).toBe(type);
  if (!markdown.includes("<u>")) expect(isKept(one(markdown))).toBe(false);
  stays(markdown);
});

test("an element of a tag around markdown is that tag", () => {
  const markdown =
    "<div data-gb-custom-block data-tag=\"hint\" data-style='warning'>\n\n**Text**\n\n* a\n\n</div>\n";
  const { data, ...hint } = one('{% hint style="warning" %}\n**Text**\n\n* a\n{% endhint %}\n');
  expect(one(markdown)).toEqual({ ...hint, data: { ...data, html: "markdown" } });
  stays(markdown);
  expect(
    one('<div data-gb-custom-block data-tag="embed" data-url="https://a.example"></div>\n'),
  ).toMatchObject({
    type: "embed",
    data: { url: "https://a.example" },
  });
});

test("a division around markdown is kept, what is in it is read", () => {
  const markdown = '<div align="center">\n\n# A\n\n[a](b.md)\n\n</div>\n';
  expect(read(markdown).nodes.map(({ type }) => type)).toEqual(["code", "heading-1", "paragraph", "code"]);
  stays(markdown);
});

test("comments are kept, and marked as hidden", () => {
  const markdown = "<!-- a -->\n\nb <!-- c --> d\n";
  const [comment, line] = read(markdown).nodes;
  expect(comment!.data).toEqual({ syntax: "markdown", verbatim: true, hidden: true });
  expect(JSON.stringify(line)).toContain('{"verbatim":true,"hidden":true}');
  stays(markdown);
});

test("items of a list of HTML hold blocks", () => {
  const [item] = blocksOf(one("<ul><li>a<ol><li>b</li></ol></li></ul>\n"));
  expect(blocksOf(item!).map(({ type }) => type)).toEqual(["paragraph", "list-ordered"]);
});
