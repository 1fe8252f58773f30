import { parseDocument } from "@octavo/markdown/document/parse";
import { expect, test } from "vitest";
import { convertDialect, DIALECTS, type Dialect } from "./dialect.js";

const convert = (dialect: Dialect, ...lines: string[]) =>
  convertDialect({ markdown: lines.join("\n"), dialect });
/** The types of the blocks that a text is read as. */
const blocks = (markdown: string) =>
  parseDocument(markdown, { body: true }).nodes.map((node) => ("type" in node ? node.type : ""));

test("Docusaurus: admonitions, tabs, titles of code, imports and frontmatter become ours", () => {
  const text = convert(
    "docusaurus",
    "---",
    "id: x",
    "title: Title",
    "sidebar_label: Short",
    "slug: /a/b",
    "---",
    "",
    "import Tabs from '@theme/Tabs';",
    "import TabItem from '@theme/TabItem';",
    "",
    "## Part {#part}",
    "",
    ":::tip[Do it]",
    "Words with `:::` in.",
    "",
    ":::",
    "::::note",
    "Outer",
    ":::danger",
    "Inner",
    ":::",
    "::::",
    "",
    "<Tabs>",
    '  <TabItem value="npm" label="npm">',
    "",
    '    ```sh title="a.sh"',
    "    npm i",
    "    ```",
    "",
    "  </TabItem>",
    '  <TabItem value="yarn">yarn add</TabItem>',
    "</Tabs>",
    "",
    "{/* hidden */}",
    "A {% tag %} and `{% tag %}`",
    "",
    "```md",
    ":::tip",
    "import x from 'y'",
    ":::",
    "```",
  );
  expect(text).toMatch(/^---\ntitle: Title\nslug: b\nlinkTitle: Short\n---\n/);
  expect(text).toContain('## Part <a href="#part" id="part"></a>');
  expect(text).toContain('{% hint style="success" %}\n**Do it**\n\nWords with `:::` in.\n{% endhint %}');
  expect(text).toMatch(/style="info" %}\nOuter\n\n{% hint style="danger" %}\nInner\n{% endhint %}/);
  expect(text).toContain(
    '{% tab title="npm" %}\n{% code title="a.sh" %}\n```sh\nnpm i\n```\n{% endcode %}\n{% endtab %}',
  );
  expect(text).toContain('{% tab title="yarn" %}\nyarn add\n{% endtab %}\n{% endtabs %}');
  expect(text).not.toMatch(/theme|hidden/);
  expect(text).toContain("A \\{% tag %} and `{% tag %}`");
  expect(text).toContain("```md\n:::tip\nimport x from 'y'\n:::\n```");
  expect(blocks(text.slice(text.indexOf("##")))).toEqual(expect.arrayContaining(["hint", "tabs", "code"]));
});

test("MkDocs: what is indented below a mark stands in a block of ours", () => {
  const text = convert(
    "mkdocs",
    "# Title",
    "",
    '!!! warning "Mind"',
    "    One",
    "",
    "    ```py",
    "    x = 1",
    "    ```",
    "",
    '    === "A"',
    "",
    "        in tab",
    "",
    "After",
    "",
    "??? note",
    "    Folded",
    "",
    '=== "C"',
    "",
    '    ``` c title="a.c" linenums="1"',
    "    int x;",
    "    ```",
    "",
    '=== "D"',
    "",
    "    Dee",
    "",
    "End [x](y.md){ .md-button }",
  );
  expect(text).toContain('{% hint style="warning" %}\n**Mind**\n\nOne\n\n```py\nx = 1\n```');
  expect(text).toContain('{% tab title="A" %}\nin tab\n{% endtab %}');
  expect(text).toContain("<summary>Note</summary>\n\nFolded\n\n</details>");
  expect(text).toContain('{% tab title="C" %}\n{% code title="a.c" lineNumbers="true" %}\n```c\nint x;\n```');
  expect(text).toContain('{% tab title="D" %}\nDee\n{% endtab %}\n{% endtabs %}');
  expect(text).toContain("End [x](y.md)\n".trimEnd());
  expect(blocks(text)).toEqual(expect.arrayContaining(["hint", "expandable", "tabs"]));
});

test("VitePress: containers, groups of code, badges, and the home page become ours", () => {
  const text = convert(
    "vitepress",
    "::: warning STOP",
    "No.",
    ":::",
    "::: details More",
    "Yes.",
    ":::",
    "",
    "::: code-group",
    "```js{2} [config.js]",
    "a",
    "```",
    "```ts:line-numbers [config.ts]",
    "b",
    "```",
    ":::",
    "",
    'New <Badge text="1.2" />',
    "",
    "[[toc]]",
  );
  expect(text).toContain('{% hint style="warning" %}\n**STOP**\n\nNo.\n{% endhint %}');
  expect(text).toContain("<summary>More</summary>");
  expect(text).toContain('{% tab title="config.js" %}\n```js\na\n```\n{% endtab %}');
  expect(text).toContain('{% tab title="config.ts" %}\n{% code lineNumbers="true" %}\n```ts');
  expect(text).toContain("New (1.2)");
  expect(text).not.toContain("toc");
  const home = convert(
    "vitepress",
    "---",
    "layout: home",
    "hero:",
    "  name: Tool",
    "  tagline: Does it",
    "  actions:",
    "    - text: Start",
    "      link: /guide/start",
    "features:",
    "  - title: Fast",
    "    details: <b>Very</b>",
    "---",
    "",
  );
  expect(home).toContain("# Tool\n\nDoes it\n\n* [Start](</guide/start>)");
  expect(home).toContain("<td><strong>Fast</strong></td><td>&lt;b&gt;Very&lt;/b&gt;</td>");
});

test("Mintlify: components become blocks of ours", () => {
  const text = convert(
    "mintlify",
    "---",
    "title: Start",
    "sidebarTitle: Go",
    "---",
    "",
    "<Note>Mind **this**.</Note>",
    "",
    "<CardGroup cols={2}>",
    "  <Card",
    '    title="First"',
    "    icon={<Icon icon='x' />}",
    '    href="/guides/first"',
    "  >",
    "    Words & `code`",
    "  </Card>",
    "</CardGroup>",
    "",
    "<Steps>",
    '  <Step title="One">',
    "    Do it.",
    "  </Step>",
    "</Steps>",
    '<Accordion title="Why">',
    "  Because",
    "</Accordion>",
    "",
    "<CodeGroup>",
    "```js index.js",
    "a",
    "```",
    "```py Python",
    "b",
    "```",
    "</CodeGroup>",
    "",
    '<ParamField body="name" type="string" required>',
    "  The name.",
    "</ParamField>",
    "",
    'Press <Icon icon="x" /> now',
  );
  expect(text).toContain('{% hint style="info" %}\nMind **this**.\n{% endhint %}');
  expect(text).toContain(
    '<td><strong>First</strong></td><td>Words &amp; <code>code</code></td><td><a href="/guides/first">/guides/first</a></td>',
  );
  expect(text).toContain("{% stepper %}\n{% step %}\n### One\n\nDo it.\n{% endstep %}\n{% endstepper %}");
  expect(text).toContain("<summary>Why</summary>\n\nBecause");
  expect(text).toContain('{% tab title="index.js" %}\n```js\na\n```');
  expect(text).toContain("* **`name`** *string* (required)\n\n  The name.");
  expect(text).toContain("Press  now");
  expect(text).toContain("linkTitle: Go");
  expect(blocks(text.slice(text.indexOf("{%")))).toEqual(
    expect.arrayContaining(["hint", "table", "stepper", "expandable", "tabs"]),
  );
});

test("plain markdown stays as it is, but for line ends and a byte order mark", () => {
  const plain =
    "# Title\n\nWords *with* [links](a.md).\n\n* one\n  * two\n\n    code\n\n| a | b |\n| - | - |\n| 1 | 2 |\n";
  for (const dialect of DIALECTS) {
    expect(convertDialect({ markdown: plain, dialect }), dialect).toBe(plain);
    const other = `\uFEFF${plain.replaceAll("\n", "\r\n")}`;
    expect(convertDialect({ markdown: other, dialect }), dialect).toBe(plain);
  }
});

test("blocks and tags without an end, and marks without number, are read in bounded work", () => {
  const hostile = [
    ":::tip\n".repeat(5_000),
    '<Card title="\n'.repeat(5_000),
    "<Tabs>".repeat(5_000),
    "</Tabs>".repeat(5_000),
    "<Card a={".repeat(5_000),
    "{/*".repeat(5_000),
    "`".repeat(5_000) + "<A".repeat(5_000),
    `${"    ".repeat(40)}!!! note\n`.repeat(2_000),
    Array.from({ length: 400 }, (_, at) => `${"    ".repeat(at)}!!! note`).join("\n"),
    "```\n".repeat(5_001),
    "import {\n".repeat(5_000),
  ];
  for (const markdown of hostile)
    for (const dialect of DIALECTS)
      expect(convertDialect({ markdown, dialect }).length).toBeLessThan(5_000_000);
});
