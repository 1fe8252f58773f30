import { expect, test } from "vitest";
import { parseDocument } from "./document/parse.js";
import { renderDocument } from "./document/render.js";
import { extractLinks } from "./links/links.js";
import { anchorsOf, referencesIn } from "./links/references.js";
import { mergeMarkdown } from "./merge/merge.js";
import { parseSummary, SummaryError } from "./navigation/summary.js";
import { sections } from "./source/sections.js";
import { readSource } from "./source/source.js";
import { workOf } from "./testing/work.js";

// Each of these took minutes where every place was looked for again from every other one.

const LONG = 800_000;
const fill = (piece: string) => piece.repeat(Math.floor(LONG / piece.length));
const lines = (piece: string) => `${piece}\n`.repeat(Math.min(60_000, Math.floor(LONG / (piece.length + 1))));

const PAGES: [name: string, page: string][] = [
  ["tags that end together", `${fill("{% ")}%}`],
  ["tags with names that end together", `${fill("{% if ")}%}`],
  ["tags over lines", `${lines("a {% if")}%}`],
  ["tags without their end", lines("{% hint %}")],
  ["elements without a bracket", fill("<div ")],
  ["elements within elements", fill("<div>")],
  ["titles of links in parentheses", fill("[a](b (c ")],
  ["attributes not closed", fill('<b "')],
  ["notes in HTML", `<p align="center">${fill("data-footnote-ref ")}</p>\n`],
  ["code not closed", fill("` `` ``` ")],
  ["math not closed", fill("$$a $")],
  ["breaks", lines("\\")],
  ["blanks in a line", `a${fill(" ")}b\n`],
  ["blanks in a tag", `a <b ${fill(" ")}>b\n`],
  ["blanks in a summary", `<details>\n<summary>a${fill(" ")}b</summary>\n\na\n\n</details>\n`],
  ["items ever deeper", Array.from({ length: 1200 }, (_, at) => `${"  ".repeat(at)}* a`).join("\n")],
  [
    "leaves in leaves",
    `${'{% content-ref url="a" %}\n'.repeat(30_000)}a\n${"{% endcontent-ref %}\n".repeat(30_000)}`,
  ],
  ["elements closed in one line", `${"<div>".repeat(100_000)}${"</div>".repeat(100_000)}\n`],
  [
    "selects not closed",
    `<table><thead><tr><th>${"<select>".repeat(45_000)}${fill("a")}</th></tr></thead></table>\n`,
  ],
  ["figures not closed", `<div><figure></figure>${"<figure>".repeat(45_000)}${fill("a")}</div>\n`],
  ["one long value", `{% hint title="${fill("x")}" %}\na\n{% endhint %}\n`],
  ["one long attribute", `<a title="${fill("x ")}">b</a>\n`],
];

/** Lookups and searched characters for one character of the page. */
const MOST = 150;

test.each(PAGES)(
  "a page of 800,000 characters of %s is read, written and merged with work in proportion to it",
  (_, page) => {
    const cost = (run: () => unknown) => workOf(run) / page.length;
    expect(cost(() => renderDocument(parseDocument(page)))).toBeLessThan(MOST);
    expect(cost(() => [sections(page), readSource(page)])).toBeLessThan(MOST);
    expect(cost(() => [referencesIn(page), extractLinks(page), anchorsOf(page)])).toBeLessThan(MOST);
    const sides = { base: page, ours: `${page}\n\nours\n`, theirs: `theirs\n\n${page}` };
    expect(cost(() => mergeMarkdown(sides))).toBeLessThan(MOST);
  },
  120_000,
);

test.each([
  ["one item over many lines", `* a\n${lines("b")}`],
  [
    "deep items",
    Array.from({ length: 50_000 }, (_, at) => `${" ".repeat((at % 20) * 2)}* [a](b.md)`).join("\n"),
  ],
  ["brackets", `* ${fill("[")}`],
  ["links in parentheses", `* ${fill("![a](b (c ")}`],
  ["comments not closed", lines("<!--")],
])(
  "a table of contents of %s is read with work in proportion to it",
  (_, source) => {
    const read = () => {
      try {
        parseSummary(source);
      } catch (error) {
        expect(error).toBeInstanceOf(SummaryError);
      }
    };
    expect(workOf(read) / source.length).toBeLessThan(MOST);
  },
  60_000,
);
