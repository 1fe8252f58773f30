import { expect, test } from "vitest";
import { many, pick, type Random, randomText, randomTitle, seeded } from "../testing/random.js";
import { parseSummary, type Summary, SummaryError, type SummaryItem } from "./summary.js";
import { writeSummary } from "./write-summary.js";

/** One line per node, indented by depth: `title -> target`. */
function outline(summary: Summary): string[] {
  const lines: string[] = [];
  const show = (node: Summary["nodes"][number], depth: number) => {
    const target =
      node.kind === "page"
        ? (node.file ?? "-")
        : node.kind === "link"
          ? `link ${node.url}`
          : node.kind === "computed"
            ? JSON.stringify(node.source)
            : `group ${node.slug ?? ""}`.trim();
    lines.push(`${"  ".repeat(depth)}${node.kind === "computed" ? "" : node.title} -> ${target}`);
    for (const child of node.children) show(child, depth + 1);
  };
  for (const node of summary.nodes) show(node, 0);
  return lines;
}

const problemsOf = (source: string): string[] => {
  try {
    parseSummary(source);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(SummaryError);
    return (error as SummaryError).problems.map(({ line, message }) => `${line}: ${message}`);
  }
};

const plain = (summary: Summary) =>
  JSON.parse(JSON.stringify(summary, (key, value) => (key === "line" ? undefined : value))) as Summary;

const SAMPLE = `# Table of contents

* [Welcome](README.md)
* [Install](install/README.md)
  * [On Linux](install/linux.md "Linux")
    * [01\\_first \\& last](install/01\\_first.md)
  * [Sources](https://example.com/a_(b)?x=1)

## 📚 Guides & more <a href="#guides" id="guides"></a>

* [With spaces](<guides/my page.md>)
* [Encoded](guides/my%20other%20page.md)
* [Anchor](install/linux.md#step-2)
* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  \`\`\`

***

* [Last &lt;one&gt;](last.md)
`;

test("titles may hold separators that end no line", () => {
  const source = "# Table of contents\n\n## Gro\u2028up\n\n* [Wel\u2028come](README.md)\n";
  expect(outline(parseSummary(source))).toEqual(["Gro\u2028up -> group", "  Wel\u2028come -> README.md"]);
});

test("parseSummary reads pages, links, groups and computed pages in order with their nesting", () => {
  const summary = parseSummary(SAMPLE);
  expect(summary.title).toBe("Table of contents");
  expect(outline(summary)).toEqual([
    "Welcome -> README.md",
    "Install -> install/README.md",
    "  On Linux -> install/linux.md",
    "    01_first & last -> install/01_first.md",
    "  Sources -> link https://example.com/a_(b)?x=1",
    "📚 Guides & more -> group guides",
    "  With spaces -> guides/my page.md",
    "  Encoded -> guides/my other page.md",
    "  Anchor -> link install/linux.md#step-2",
    '   -> {"type":"builtin:openapi","props":{"models":true},"dependencies":{"spec":{"ref":{"kind":"openapi","spec":"pets"}}}}',
    "Last <one> -> last.md",
  ]);
  const linux = summary.nodes[1]!.children[0] as SummaryItem;
  expect(linux).toMatchObject({ linkTitle: "Linux", line: 5 });
});

test.each([
  ["four spaces and wide bullets", "-   [A](a.md)\n    -   [B](b.md)\n        -   [C](c.md)\n-   [D](d.md)"],
  ["tabs", "* [A](a.md)\n\t* [B](b.md)\n\t\t* [C](c.md)\n* [D](d.md)"],
  ["mixed depths", "+ [A](a.md)\n    + [B](b.md)\n       + [C](c.md)\n+ [D](d.md)"],
  [
    "numbers and Windows line ends",
    "1. [A](a.md)\r\n   1. [B](b.md)\r\n      * [C](c.md)\r\n2. [D](d.md)\r\n",
  ],
  ["loose lists", "\uFEFF* [A](a.md)\n\n  * [B](b.md)\n\n    * [C](c.md)\n\n* [D](d.md)"],
])("parseSummary nests by indentation: %s", (_, source) => {
  expect(outline(parseSummary(source))).toEqual(["A -> a.md", "  B -> b.md", "    C -> c.md", "D -> d.md"]);
});

test("parseSummary bears what real files hold around their links", () => {
  const source = `---
title: nav
---
Summary
=======

Some words first.

* [ ] [Task](task.md)
* **[Bold](./bold.md)** and trailing words
* [Code \`a_b\` [x]](code.md)
* ![icon](icon.png) [Icon](icon.md)
* [Wrapped
  title](wrapped.md)
* Just words
* <https://example.com>
<!-- * [Gone](gone.md) -->
* [Report](files/report.pdf)
* [Folder](dir/)
* [Nothing]()

Part
----

* [In part](part.md)
`;
  expect(outline(parseSummary(source))).toEqual([
    "Task -> task.md",
    "Bold -> bold.md",
    "Code `a_b` [x] -> code.md",
    "Icon -> icon.md",
    "Wrapped title -> wrapped.md",
    "Just words -> -",
    "https://example.com -> link https://example.com",
    "Report -> link files/report.pdf",
    "Folder -> dir/README.md",
    "Nothing -> -",
    "Part -> group",
    "  In part -> part.md",
  ]);
});

test("parseSummary of an empty file or a bare heading holds no pages", () => {
  expect(parseSummary("").nodes).toEqual([]);
  expect(parseSummary("# Table of contents\n").nodes).toEqual([]);
});

test("parseSummary reports every problem with its line", () => {
  expect(
    problemsOf(`# Contents
* [Out](../secret.md)
* [Absolute](/etc/passwd.md)
* [Open](page.md
* [No address]
* [Fine](fine.md)
* [Deep](a/../../b.md)
* [Encoded](%2e%2e/b.md)
* \`\`\`yaml
  type: [
  \`\`\`
* \`\`\`yaml
  props: {}
  \`\`\`
* \`\`\`js
  x
`),
  ).toEqual([
    '2: "../secret.md" leaves the content root',
    '3: "/etc/passwd.md" is an absolute path; paths are relative to the content root',
    "4: the link is not closed",
    "5: a link needs its address right after the title: [Title](page.md)",
    '7: "a/../../b.md" leaves the content root',
    '8: "%2e%2e/b.md" leaves the content root',
    expect.stringMatching(/^9: the computed page is not valid YAML/),
    "12: a computed page needs a type",
    "15: the fenced block is not closed",
    "15: a fenced item must be yaml",
  ]);
});

test.each([
  ["prose", "This is no table of contents.\n\nReally."],
  ["a list of words", "* apples\n* pears\n"],
  ["bytes", "\u0089PNG\r\n\0\0\0"],
  ["html", "<html><body>Not found</body></html>"],
])("parseSummary refuses %s", (_, source) => {
  expect(problemsOf(source)).toHaveLength(1);
});

test("parseSummary refuses endless nesting", () => {
  const source = Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}* [a](a.md)`).join("\n");
  expect(problemsOf(source)[0]).toBe("65: nested deeper than 64 levels");
});

test("parseSummary of hostile YAML is a problem, not a crash", () => {
  expect(problemsOf(`* \`\`\`yaml\n${"- ".repeat(10_000)}\n\`\`\``)).toEqual([
    "1: the computed page is nested too deeply",
  ]);
});

test("parseSummary of anything returns or throws a SummaryError", () => {
  const random = seeded(2);
  for (let round = 0; round < 2000; round += 1) problemsOf(randomText(random));
});

test("writeSummary writes the same tree as the sample", () => {
  const written = writeSummary(parseSummary(SAMPLE));
  expect(plain(parseSummary(written))).toEqual(plain(parseSummary(SAMPLE)));
  expect(written).toContain('\n  * [On Linux](install/linux.md "Linux")\n    * [01_first & last]');
  expect(written).toContain("\n***\n\n* [Last \\<one>](last.md)\n");
});

function randomItem(random: Random, depth: number): SummaryItem {
  const children = depth > 3 ? [] : many(random, 3, () => randomItem(random, depth + 1));
  const title = randomTitle(random) || "x";
  const label = random() < 0.3 ? { linkTitle: randomTitle(random).replaceAll("\0", "") || "label" } : {};
  const kind = random();
  if (kind < 0.15) {
    const source = {
      type: "builtin:openapi",
      props: { name: title, "a b": 1 },
      dependencies: { spec: { ref: { spec: title } } },
    };
    return { kind: "computed", source, children };
  }
  if (kind < 0.3)
    return {
      kind: "link",
      title,
      ...label,
      url: `https://example.com/${pick(random, ["a(b", "c d", "<x>", "é&amp;", "p#q?r"])}`,
      children,
    };
  const file = `${pick(random, ["a", "b c", "ü", "x#y", "50%", "p(q", "why?", "c:d", "<e>"])}/${pick(random, ["README", "z"])}.md`;
  return { kind: "page", title, ...label, ...(random() < 0.9 && { file }), children };
}

test("parseSummary(writeSummary(summary)) is the summary", () => {
  const random = seeded(3);
  for (let round = 0; round < 400; round += 1) {
    const items = () => many(random, 4, () => randomItem(random, 0));
    const page: SummaryItem = { kind: "page", title: "Home", file: "README.md", children: [] };
    const group = () => ({
      kind: "group" as const,
      title: randomTitle(random) || "g",
      slug: pick(random, ["a", "b-c"]),
      children: items(),
    });
    const summary: Summary = { title: "Contents", nodes: [page, ...items(), group(), group(), ...items()] };
    const clean = JSON.parse(
      JSON.stringify(summary).replaceAll("\\u0000", "").replaceAll("\uFEFF", ""),
    ) as Summary;
    expect(plain(parseSummary(writeSummary(clean)))).toEqual(trimmed(clean));
  }
});

/** Titles and labels are written without blanks around them. */
function trimmed(summary: Summary): Summary {
  return JSON.parse(JSON.stringify(summary), (key, value) =>
    (key === "title" || key === "linkTitle") && typeof value === "string" ? value.trim() : (value as unknown),
  ) as Summary;
}

test("an item that is a heading is a group, and a page where it is a link or lies deeper", () => {
  const source =
    "* ## Start ##\n* [A](a.md)\n  * ### Part\n    * [B](b.md)\n* ## [C](c.md)\n* # End\n  * [D](d.md)\n";
  expect(parseSummary(source).nodes).toMatchObject([
    {
      kind: "group",
      title: "Start",
      children: [
        { title: "A", children: [{ kind: "page", title: "Part", children: [{ title: "B", file: "b.md" }] }] },
        { kind: "page", title: "C", file: "c.md" },
      ],
    },
    { kind: "group", title: "End", children: [{ title: "D", file: "d.md" }] },
  ]);
});

test("includes and other text are named by their lines, and are no part of an item", () => {
  const source = `# Contents

Read this first.

* [A](a.md)
{% include "./more.md" %}
* {% include "../deep.md" %}
  {%- include "x.md" -%}
* [B](b.md)
`;
  const summary = parseSummary(source);
  expect(summary.nodes).toMatchObject([{ title: "A" }, { title: "B" }]);
  expect(summary.ignored).toEqual([
    { line: 3, kind: "text" },
    { line: 6, kind: "include" },
    { line: 7, kind: "include" },
    { line: 8, kind: "include" },
  ]);
  expect(() => parseSummary('# Contents\n\n{% include "all.md" %}\n')).toThrow("no list of links to pages");
});
