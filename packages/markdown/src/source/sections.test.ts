import { expect, test } from "vitest";
import { randomText, seeded } from "../testing/random.js";
import { workOf } from "../testing/work.js";
import { sections } from "./sections.js";

test("sections cuts a page at its headings and strips the syntax", () => {
  const page = `---
description: not here
---

# The \`page\`

Intro with **bold**, _italics_, [a link](x.md), ![a picture](y.png) and &amp; snake_case.

## First part <a href="#one" id="one"></a>

* item **one**
  1. [x] done
> quoted
| Name | Value |
| ---- | ----- |
| a \\| b | \`c\` |

{% tabs %}
{% tab title="Linux" %}
\`\`\`sh
sudo apt install # not a heading
\`\`\`
{% endtab %}
{% endtabs %}

### First part

<details><summary>More</summary>Text <!-- hidden --></details>
<!--
## no heading
-->
Underlined
----------

$$x^2$$ [^1]

[^1]: A note
[ref]: https://example.com

<h2 id="html">In &lt;HTML&gt;</h2>

End.

## 🚀

## 簡介
`;
  expect(sections(page)).toEqual([
    { title: "The page", text: "Intro with bold, italics, a link, a picture and & snake_case." },
    {
      anchor: "one",
      title: "First part",
      text: "item one\ndone\nquoted\nName Value\na b c\nLinux\nsudo apt install # not a heading",
    },
    { anchor: "first-part", title: "First part", text: "More Text" },
    { anchor: "underlined", title: "Underlined", text: "x^2\nA note" },
    { anchor: "html", title: "In <HTML>", text: "End." },
    { anchor: "section", title: "🚀", text: "" },
    { anchor: "簡介", title: "簡介", text: "" },
  ]);
});

test("sections of a page without a title takes the frontmatter's, and is never empty", () => {
  expect(sections("---\ntitle: Front\n---\nText")).toEqual([{ title: "Front", text: "Text" }]);
  expect(sections("")).toEqual([{ title: "", text: "" }]);
});

test("sections numbers headings of one name", () => {
  const anchors = sections('# T\n\n## A\n\n## A\n\n# A\n\n## b <a id="a"></a>\n').map(({ anchor }) => anchor);
  expect(anchors).toEqual([undefined, "a", "a-1", "a-2", "a-3"]);
});

test("sections gives a heading that is longer than a title to the text as well", () => {
  const heading = `${"word ".repeat(150)}end`;
  expect(sections(`# T\n\n## ${heading}\n\nText\n`)[1]).toEqual({
    anchor: expect.stringMatching(/^word-word-/),
    title: heading.slice(0, 499),
    text: `${heading}\nText`,
  });
});

test("sections of anything returns unique anchors and never throws", () => {
  const random = seeded(11);
  for (let round = 0; round < 1500; round += 1) {
    const anchors = sections(randomText(random)).map(({ anchor }) => anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
  }
});

test.each([
  ["[a](".repeat(100_000)],
  ["`a".repeat(200_000)],
  ["*a ".repeat(130_000)],
  [`${" ".repeat(400_000)}x`],
  ["# a\n".repeat(100_000)],
])("sections of 400 KB of %.10j… is work in proportion to its length", (page) => {
  expect(workOf(() => sections(page))).toBeLessThan(40 * page.length);
});

test("code in a quote is text without the marks of the quote", () => {
  const [page] = sections("# Title\n\n> Run:\n>\n> ```sh\n> npm *start*\n> ```\n");
  expect(page!.text).toBe("Run:\nnpm *start*");
});

test("a link whose words are its own path says nothing, but an address that somebody wrote out does", () => {
  const row = (href: string, words: string) =>
    `<tr><td>Card</td><td><a href="${href}">${words}</a></td></tr>`;
  const textOf = (line: string) => sections(`<table>\n${line}\n</table>\n`)[0]!.text;
  expect(textOf(row("writing/pages.md", "writing/pages.md"))).toBe("Card");
  expect(textOf(row("writing/pages.md", "Writing"))).toBe("Card Writing");
  expect(textOf(row("https://a.example/b", "https://a.example/b"))).toContain("https://a.example/b");
});

test("breaks between lines and between parts of a page are no words", () => {
  const [page] = sections("# Title\n\n-v\\\n--verbose\n\n***\n\n> * * *\n\n___\n\nC:\\\\\n\n*** a\n");
  expect(page!.text).toBe("-v\n--verbose\nC:\\\n*** a");
});
