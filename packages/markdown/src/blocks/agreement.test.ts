import { expect, test } from "vitest";
import { renderDocument } from "../document/render.js";
import { randomDocument } from "../document/testing.js";
import { disagreementsIn } from "../testing/agreement.js";
import { randomHostile } from "../testing/hostile.js";
import { type Random, randomPage, randomText, seeded } from "../testing/random.js";

const MAKERS: [name: string, make: (random: Random) => string][] = [
  ["whole blocks", randomPage],
  ["shards", randomText],
  ["hostile pieces", (random) => randomHostile(random, 400)],
  ["documents", (random) => renderDocument(randomDocument(random))],
];

/** Shards and hostile pieces begin fences in HTML, which is code for links and the search alone. */
const WHOLE = new Set(["whole blocks", "documents"]);

test.each(MAKERS)(
  "pages of %s are read as their document is",
  (name, make) => {
    for (let seed = 0; seed < 300; seed += 1) {
      const { blocks, title, code, addresses } = disagreementsIn(make(seeded(seed)));
      const rest = WHOLE.has(name) ? [...code, ...addresses] : [];
      expect([...blocks, ...title, ...rest], `seed ${seed}`).toEqual([]);
    }
  },
  120_000,
);

test.each([
  ["quotes", "> a\n> ```\n> [b](b.md)\n> ```\n> [c](c.md)\n"],
  ["items", "1. a\n\n   ```\n   [b](b.md)\n   ```\n2. [c](c.md)\n"],
  ["items whose code is not indented", "1. ```\na\n```\n2. [c](c.md)\n"],
  ["tags", '{% tabs %}\n{% tab title="a" %}\n\n~~~\n# b\n~~~\n\n{% endtab %}\n{% endtabs %}\n\n# c\n'],
  ["elements", '<div align="center">\n\n# a\n\n[b](b.md)\n\n</div>\n\n# c\n'],
  ["formulas", "a\n$$\nb\n\nc\n$$\n# d\n"],
  ["headings with pipes", "# a | b\n| - | - |\n"],
  ["underlined headings", "\n a\nb\n===\n\nc\n---\n"],
  ["definitions", "[a]: a.md\n\n[a]\n\n[^n]: [b](b.md)\n\n    [c](c.md)\n"],
  ["line ends of other systems", "a\r\rb\r\n\r\n# c\r\n```\r\nd\r\n```\r\n"],
])("%s are read alike", (_, page) => {
  expect(disagreementsIn(page)).toEqual({ blocks: [], title: [], code: [], addresses: [] });
});
