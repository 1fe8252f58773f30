import { expect, test } from "vitest";
import { bodyOf } from "../source/source.js";
import { type Block, block, leaf, paragraph, textNode } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument, replaceBody } from "./render.js";

const one = (markdown: string): Block => parseDocument(markdown, { body: true }).nodes[0]!;
const table = (cell: string) =>
  `<table><thead><tr><th width="90">A</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>\n`;
const stays = (markdown: string) =>
  expect(renderDocument(parseDocument(markdown, { body: true }))).toBe(markdown);

test("frontmatter and title are not part of the document", () => {
  const page = "---\ndescription: D\n---\n\n# Title\n\n## First\n\nText.\n";
  const { nodes } = parseDocument(page);
  expect(nodes.map(({ type }) => type)).toEqual(["heading-1", "paragraph"]);
  expect(bodyOf(page).trim()).toBe("## First\n\nText.");
  expect(replaceBody(page, "New.\n")).toBe("---\ndescription: D\n---\n\n# Title\n\nNew.\n");
});

test("a heading one level lower than in markdown keeps its id", () => {
  expect(one('### Deep <a href="#x" id="x"></a>')).toMatchObject({ type: "heading-2", data: { id: "x" } });
  expect(one("##### Deepest")).toMatchObject({ type: "heading-3", data: { level: 5 } });
});

test.each([
  ["hint", '{% hint style="warning" %}\nCareful.\n\n* a\n* b\n{% endhint %}\n'],
  [
    "tabs",
    '{% tabs %}\n{% tab title="One" %}\nA\n{% endtab %}\n\n{% tab title="Two" %}\nB\n{% endtab %}\n{% endtabs %}\n',
  ],
  ["stepper", "{% stepper %}\n{% step %}\n## First\n\nDo it.\n{% endstep %}\n{% endstepper %}\n"],
  [
    "columns",
    '{% columns %}\n{% column width="50%" %}\nA\n{% endcolumn %}\n\n{% column %}\nB\n{% endcolumn %}\n{% endcolumns %}\n',
  ],
  ["expandable", "<details>\n\n<summary>More</summary>\n\nText\n\n</details>\n"],
  ["code", '{% code title="a.js" overflow="wrap" lineNumbers="true" %}\n```js\na();\n```\n{% endcode %}\n'],
  ["code", '<pre class="language-js"><code class="lang-js">a();\n<strong>b();\n</strong>c();</code></pre>\n'],
  ["if", '{% if visitor.claims.plan == "pro" %}\nText\n{% endif %}\n'],
  ["reusable-content", '{% include "../.gitbook/includes/a.md" %}\n'],
  ["integration", '{% @github-files/github-code-block url="https://github.com/a/b" %}\n'],
  ["embed", '{% embed url="https://example.com/v" %}\n'],
  ["file", '{% file src=".gitbook/assets/a.pdf" %}\nThe **file**\n{% endfile %}\n'],
  ["content-ref", '{% content-ref url="a/b.md" %}\n[b.md](a/b.md)\n{% endcontent-ref %}\n'],
  [
    "openapi-operation",
    '{% openapi-operation spec="api" path="/x" method="get" %}\n[OpenAPI api](https://a.example/x.json)\n{% endopenapi-operation %}\n',
  ],
  [
    "openapi-schemas",
    '{% openapi-schemas spec="api" schemas="A,B" grouped="true" %}\n{% endopenapi-schemas %}\n',
  ],
  ["openapi-webhook", '{% openapi-webhook spec="api" name="n" method="post" %}\n{% endopenapi-webhook %}\n'],
  ["swagger", '{% openapi src="a.json" path="/x" method="get" %}\n[a.json](a.json)\n{% endopenapi %}\n'],
  [
    "swagger",
    '{% swagger src="a.json" path="/x" method="get" expanded="true" %}\n[a.json](a.json)\n{% endswagger %}\n',
  ],
  ["math", "$$\nx^2\n$$\n"],
  [
    "images",
    '<figure><img src="a.png" alt="A" width="563"><figcaption><p>A <strong>caption</strong></p></figcaption></figure>\n',
  ],
  [
    "images",
    '<div data-full-width="true"><figure><img src="a.png" alt=""><figcaption></figcaption></figure> <figure><img src="b.png" alt=""><figcaption></figcaption></figure></div>\n',
  ],
  [
    "images",
    '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture><figcaption></figcaption></figure>\n',
  ],
  ["drawing", '<img src="x.drawing.svg" alt="" class="gitbook-drawing">\n'],
  ["paragraph", '<p align="center">In the middle</p>\n'],
  ["paragraph", '<p align="center">So <span class="math">a &lt; b</span></p>\n'],
  ["heading-1", '<h2 align="center" id="x">In the middle</h2>\n'],
  ["list-tasks", "* [x] done\n* [ ] open\n  * more\n"],
  ["list-tasks", "* [x]\n\n  ### Done\n\n* [ ]\n\n  ```js\n  a();\n  ```\n\n* [ ]\n\n  ___\n"],
  ["list-ordered", "3. a\n4. b\n\n   ```js\n   x\n   ```\n".replace("a\n4", "a\n\n4")],
  ["blockquote", "> a\n>\n> > b\n"],
  ["table", "| a | b |\n| --- | :---: |\n| `x\\|y` | [l](m.md) |\n"],
  [
    "table",
    '<table data-card-size="large" data-view="cards"><thead><tr><th>T</th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><strong>A</strong></td><td><a href="a.md">a.md</a></td><td><a href="x/c.png">c.png</a></td></tr></tbody></table>\n',
  ],
  [
    "table",
    '<table data-full-width="false"><thead><tr><th width="120">N</th><th data-type="rating" data-max="5">R</th><th data-type="checkbox">C</th><th>S<select multiple><option value="v" label="One" color="red"></option></select></th></tr></thead><tbody><tr><td>a<br>b</td><td>3</td><td>true</td><td><span data-option="v">One</span></td></tr></tbody></table>\n',
  ],
  [
    "updates",
    '{% updates format="full" %}\n{% update date="2026-02-01" tags="beta,api" %}\n## New\n\nText.\n{% endupdate %}\n\n{% update date="2026-01-01" %}\n## Old\n{% endupdate %}\n{% endupdates %}\n',
  ],
  [
    "prompt",
    '{% prompt description="Explain it" icon="robot" openInAIProviders="true" defaultExpanded="partial" %}\n```markdown\nWhy?\n```\n{% endprompt %}\n',
  ],
  [
    "prompt",
    '{% prompt description="true" icon="1" %}\n{% code overflow="wrap" %}\n```\nWhy?\n```\n{% endcode %}\n{% endprompt %}\n',
  ],
  ["divider", "***\n"],
  ["hint", '{% hint style="success" icon="bell" %}\nDone.\n{% endhint %}\n'],
  [
    "tabs",
    '{% tabs fullWidth="true" %}\n{% tab title="One" icon="gear" %}\nA\n{% endtab %}\n{% endtabs %}\n',
  ],
  ["stepper", '{% stepper %}\n{% step icon="flag" %}\n## First\n{% endstep %}\n{% endstepper %}\n'],
  [
    "columns",
    '{% columns fullWidth="true" %}\n{% column width="200" valign="middle" %}\nA\n{% endcolumn %}\n{% endcolumns %}\n',
  ],
  ["expandable", "<details open>\n\n<summary>**More**</summary>\n\n```js\na();\n```\n\n</details>\n"],
  ["code", '```mermaid caption="Flow"\ngraph TD;\n```\n'],
  ["code", '{% code fullWidth="true" expandable="true" %}\n```\na\n```\n{% endcode %}\n'],
  [
    "code",
    '<pre class="language-js" data-title="a.js" data-overflow="wrap" data-line-numbers="true" data-full-width="true"><code class="lang-js">let v = <code class="expression">space.vars.v</code>;\n<strong>b();</strong></code></pre>\n',
  ],
  ["integration", '{% @a/b text="one\\ntwo" list:json="[1,\\"x\\"]" %}\n'],
  ["embed", '{% embed url="https://example.com/v" fullWidth="true" %}\nThe **caption**\n{% endembed %}\n'],
  ["file", '{% file src=".gitbook/assets/a.pdf" %}\n'],
  [
    "images",
    '<div align="left" data-with-frame="true"><figure><img src="a.png" alt="" width="50%" height="20"><figcaption></figcaption></figure></div>\n',
  ],
  ["paragraph", '<p align="right"><strong>At</strong> the end</p>\n'],
  ["list-unordered", "* a\n  1. b\n     * [x] c\n"],
  [
    "table",
    '<table data-view="cards"><thead><tr><th>T</th><th data-hidden data-card-cover data-type="image"></th><th data-hidden data-card-cover-dark data-type="image"></th></tr></thead><tbody><tr><td>A</td><td data-object-fit="contain"><a href="l.png">l.png</a></td><td><a href="d.png">d.png</a></td></tr></tbody></table>\n',
  ],
  [
    "table",
    '<table data-header-hidden="true"><thead><tr><th align="center" valign="top">A</th><th data-type="number">N</th><th data-type="users" data-multiple="true">U</th><th>S<select><option value="v" label="One" color=""></option></select></th></tr></thead><tbody><tr><td>a</td><td>1.5</td><td><a href="/broken/users/u1">u1</a></td><td><span data-option="v">One</span></td></tr></tbody></table>\n',
  ],
])("%s: read as that block and written back as it was", (type, markdown) => {
  expect(one(markdown).type).toBe(type);
  stays(markdown);
});

test.each([
  ["bold, italic and strike", "**a** _b_ ~~c~~ and _**both**_\n"],
  ["kbd, sub, sup", "<kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup>\n"],
  ["color", '<mark style="color:red;background-color:yellow;">x</mark>\n'],
  ["links", "[a](b.md) [c](d.md#e) [f](#g) <https://a.example/x> [mail](mailto:a@b.example)\n"],
  ["broken refs", "[a](/broken/pages/p1) [b](/broken/spaces/s1)\n"],
  ["mention", '[page.md](page.md "mention")\n'],
  ["annotation", "See [this](#user-content-fn-1)[^1].\n\n[^1]: A note\n\n    of two\n"],
  ["emoji", ':house: <span data-gb-custom-inline data-tag="emoji" data-code="1fae9">🫩</span>\n'],
  ["icon", 'x <i class="fa-github">:github:</i>\n'],
  ["button", '<a href="a.md" class="button primary" data-icon="rocket">Go</a>\n'],
  ["expression", 'v <code class="expression">space.vars.x</code>\n'],
  ["inline math", "so $$a_1*b$$ is\n"],
  ["inline math with dollars of its own", 'costs <span class="math">a$$b</span>\n'],
  ["inline image", '![A](a.png) <img src="b.png" alt="" data-size="line">\n'],
  ["line break", "a\\\nb\n"],
  ["space at a line's end", "a&#x20;\n"],
  ["color of the theme", '<mark style="color:$primary;">x</mark>\n'],
  ["everything on one word", "_**~~<kbd>x</kbd>~~**_\n"],
  [
    "inline image for two modes",
    'a <picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="" data-size="original"></picture>\n',
  ],
  ["button without an address", '<a class="button secondary">Go</a>\n'],
  [
    "button of an action",
    '<button type="button" class="button primary" data-action="ask" data-query="Why?">Ask</button>\n',
  ],
  ["link to another space", "[a](https://app.example/s/s1/page)\n"],
])("%s: written back as it was", (_, markdown) => {
  stays(markdown);
  const words = JSON.stringify(parseDocument(markdown, { body: true }));
  expect(words).not.toContain('"verbatim"');
});

test("math in HTML is the same as between dollars", () => {
  const markdown = table('<span class="math">a^2</span> is');
  expect(one(markdown).fragments?.[0]?.nodes[0]?.nodes?.[0]).toMatchObject({
    type: "inline-math",
    data: { formula: "a^2" },
  });
  stays(markdown);
  expect(one('<span class="math">a^2</span>')).toEqual(one("$$a^2$$"));
});

test("an item that holds an empty text is as empty as one that holds none", () => {
  const empty = paragraph([textNode([leaf("")])]);
  const nested = block("list-unordered", {}, [block("list-item", {}, [empty])]);
  const item = block("list-item", { checked: true }, [empty, nested]);
  const text = block("list-item", { checked: false }, [paragraph([textNode([leaf("a")])]), nested]);
  const document = { object: "document" as const, data: {}, nodes: [block("list-tasks", {}, [item, text])] };
  expect(renderDocument(document)).toBe("* [x]\n\n  -\n\n* [ ] a\n\n  *\n");
});

test("the last line of code that holds an empty text is kept", () => {
  const lines = [
    block("code-line", { highlighted: true }, [textNode([leaf("a")])]),
    block("code-line", {}, [textNode([leaf("")])]),
  ];
  const document = { object: "document" as const, data: {}, nodes: [block("code", {}, lines)] };
  expect(one(renderDocument(document)).nodes).toHaveLength(2);
});

test("a note takes none of the marks around it", () => {
  stays("**a**[b](#user-content-fn-1)[^1]**c**\n\n[^1]: A note\n");
});

test("a separator that ends no line in markdown is a character like others in a quote", () => {
  stays("> a\u2028b\u2029c\n");
});

test.each([
  ["a prompt without code", '{% prompt description="Ask" %}\nWhy?\n{% endprompt %}\n'],
  ["an unknown tag", "{% raw %}\ntext\n{% endraw %}\n"],
  ["a comment", "<!-- hidden -->\n"],
  ["an unknown element", '<video src="a.mp4">\n</video>\n'],
  ["an unused definition", "[x]: https://a.example\n"],
])("%s is kept verbatim", (_, markdown) => {
  expect(one(markdown)).toMatchObject({ type: "code", data: { verbatim: true } });
  stays(markdown);
});

test.each([
  ['{% tab title="One" %}\nA\n{% endtab %}\n', "tabs", "tabs-item"],
  ["{% step %}\nA\n{% endstep %}\n", "stepper", "stepper-step"],
  ["{% column %}\nA\n{% endcolumn %}\n", "columns", "column"],
  ['{% update date="2026-01-01" %}\nA\n{% endupdate %}\n', "updates", "update"],
])("%j on its own gets the group that it belongs to", (markdown, group, member) => {
  expect(one(markdown)).toMatchObject({ type: group, nodes: [{ type: member }] });
});

test("a hint of an unknown style is an info", () => {
  expect(one('{% hint style="loud" icon="bell" %}\nA\n{% endhint %}\n').data).toEqual({
    style: "info",
    icon: "bell",
  });
});

test("an update has the date and the tags that its tag names", () => {
  const [update] = one('{% update date="2026-01-01" tags="beta, api" icon="bell" %}\nA\n{% endupdate %}\n')
    .nodes!;
  expect(update).toMatchObject({
    data: {
      date: "2026-01-01",
      tags: [
        { kind: "tag", tag: "beta" },
        { kind: "tag", tag: "api" },
      ],
      icon: "bell",
    },
  });
});

test("relative links are urls until `resolve` maps them; `address` is the way back", () => {
  const markdown = "[a](b.md#c) ![i](x.png)\n";
  expect(JSON.stringify(one(markdown))).toContain('{"kind":"url","url":"b.md#c"}');
  const resolve = (url: string) =>
    url === "b.md#c"
      ? { kind: "anchor", page: "p1", anchor: "c" }
      : url === "x.png"
        ? { kind: "file", file: "f1" }
        : undefined;
  const document = parseDocument(markdown, { body: true, resolve });
  expect(JSON.stringify(document)).toContain('{"kind":"anchor","page":"p1","anchor":"c"}');
  const address = ({ kind }: { kind: string }) => (kind === "file" ? "x.png" : "b.md#c");
  expect(renderDocument(document, { address })).toBe(markdown);
});
