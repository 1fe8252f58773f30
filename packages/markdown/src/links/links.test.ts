import { expect, test } from "vitest";
import { randomText, seeded } from "../testing/random.js";
import { extractLinks } from "./links.js";

test("extractLinks finds relative links of every form with their places", () => {
  const page = `---
cover: x.png
---
[a](b/c.md#d "title") and ![alt](<my pic.png>) [![i](i.png)](to.md)
<figure><img src="../assets/p%20q.png" alt="a > b"></figure> <a href='x.md?y=1'>x</a>
{% file src=".gitbook/assets/f.pdf" %}
{% include "../includes/x.md" %}
{% content-ref url="other/" %} [other](other/) {% endcontent-ref %}
* item [esc](a\\_b.md)

[ref]: ref.md
`;
  const links = extractLinks(page);
  expect(links.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "link b/c.md",
    "image my pic.png",
    "image i.png",
    "link to.md",
    "image ../assets/p q.png",
    "link x.md",
    "file .gitbook/assets/f.pdf",
    "include ../includes/x.md",
    "link other/",
    "link other/",
    "link a_b.md",
    "link ref.md",
  ]);
  for (const { raw, start, end } of links) expect(page.slice(start, end)).toBe(raw);
});

test("extractLinks leaves out absolute targets and whatever is code", () => {
  const page =
    "[a](https://x.y) [b](#z) [c](/root) [d](mailto:a@b.c) [e](//cdn) `[f](f.md)` \\[g](g.md\n\n```\n[h](h.md)\n```\n<!-- [i](i.md) -->\n";
  expect(extractLinks(page)).toEqual([]);
});

test("extractLinks of anything returns places that hold the link", () => {
  const random = seeded(6);
  for (let round = 0; round < 1000; round += 1) {
    const page = randomText(random);
    for (const { raw, start, end } of extractLinks(page)) expect(page.slice(start, end)).toBe(raw);
  }
});

test("extractLinks reads no code in quotes, and what stands behind it in the quote", () => {
  const page =
    "> ```\n> [a](a.md)\n> > ```\n> ```\n> [b](b.md)\n\n> > ~~~\n> [c](c.md)\n\n> ```\n[d](d.md)\n";
  expect(extractLinks(page).map(({ path }) => path)).toEqual(["b.md", "c.md", "d.md"]);
});
