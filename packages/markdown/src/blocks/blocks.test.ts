import { expect, test } from "vitest";
import { randomPage, randomText, seeded } from "../testing/random.js";
import { workOf } from "../testing/work.js";
import { splitBlocks } from "./blocks.js";

test("splitBlocks keeps each top-level block whole with the blank lines behind it", () => {
  const blocks = [
    "---\ntitle: x\n\nhidden: true\n---\n\n",
    "# Title\n",
    "A paragraph\nof two lines\n\n",
    "Underlined\n---\n",
    "* one\n\n  more\n* two\n  - inner\n\n    ```js\n    code\n\n    # code\n    ```\n\n",
    "1. other\n2. list\n\n\n",
    "```md\n{% hint %}\n\n# no\n```\n",
    "> quote\nlazy\n> > more\n\n",
    '{% tabs %}\n{% tab title="A" %}\n\n{% hint %}\nx\n\n{% endhint %}\n\n{% endtab %}\n{% endtabs %}\n\n',
    '{% embed url="https://x.y" %}\n\n',
    '{% include "x.md" %}\n',
    "<details>\n\n<summary>a</summary>\n\n<details>\n\nb\n\n</details>\n\n</details>\n\n",
    "| a | b |\n| - | - |\n| 1 | 2 |\n\n",
    "<!-- one\n\n# two\n-->\n",
    "$$\na\n\nb\n$$\n",
    "***\n",
    "[^1]: note\n\n    more\n\n",
    "Text\n",
    "## Close ##\n",
    "    code\n\n    code\n\n",
    '<p align="center">\nx\n</p>\n\n',
    "~~~\nnever closed\n\n# no",
  ];
  expect(splitBlocks(blocks.join(""))).toEqual(blocks);
});

test("splitBlocks keeps a tag inside a list with the list, also when its text is not indented", () => {
  const blocks = ["1. Step\n\n   {% hint %}\ntext\n\n{% endhint %}\n2. Step\n\n", "After\n"];
  expect(splitBlocks(blocks.join(""))).toEqual(blocks);
});

test("splitBlocks takes tags that are never closed for single lines", () => {
  expect(splitBlocks("{% hint %}\n\nA\n\n{% endtab %}\n\nB")).toEqual([
    "{% hint %}\n\n",
    "A\n\n",
    "{% endtab %}\n\n",
    "B",
  ]);
});

test("splitBlocks does not look into inline code or quotes for tags", () => {
  expect(splitBlocks("Use `{% hint %}` or `<div>`\n\n> {% hint %}\n\nB {% endhint %}\n")).toHaveLength(3);
});

test("splitBlocks of nothing is nothing, of blank lines one block", () => {
  expect(splitBlocks("")).toEqual([]);
  expect(splitBlocks("\n \n")).toEqual(["\n \n"]);
});

test("splitBlocks joins to the input, whatever it is", () => {
  const random = seeded(7);
  for (let round = 0; round < 3000; round += 1) {
    const page = random() < 0.4 ? randomPage(random) : randomText(random);
    const blocks = splitBlocks(page);
    expect(blocks.join("")).toBe(page);
    expect(blocks).not.toContain("");
  }
});

test.each([
  [">".repeat(10_000)],
  ["> ".repeat(200_000)],
  ["- ".repeat(200_000)],
  ["{% hint %}\n".repeat(40_000)],
  ["{%".repeat(200_000)],
  ["<div>".repeat(80_000)],
  ["<!--\n".repeat(80_000)],
  ["<pre>\n".repeat(60_000)],
  ["```\n".repeat(100_000)],
  ["$$\n".repeat(100_000)],
  ["`a".repeat(200_000)],
  [" ".repeat(400_000)],
  ["*".repeat(400_000)],
])("splitBlocks of 400 KB of %.10j… is work in proportion to its length", (page) => {
  expect(splitBlocks(page).join("")).toBe(page);
  expect(workOf(() => splitBlocks(page))).toBeLessThan(30 * page.length);
});
