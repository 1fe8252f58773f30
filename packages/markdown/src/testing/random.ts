/** A seeded source of numbers from 0 to 1, the same ones in every run. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!;

export const many = <Item>(random: Random, most: number, make: () => Item): Item[] =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, make);

const BLOCKS = [
  "A paragraph\nof two lines.",
  "Another with `code`, **bold** and a [link](page.md).",
  "# A heading",
  '## Heading <a href="#x" id="x"></a>',
  "Underlined\n===",
  "* one\n* two\n  * inner\n\n  more\n* three",
  "1. first\n\n   ```js\n   a();\n   ```\n2. second",
  "```yaml\na: 1\n\n# no heading\n```",
  "~~~~\n```\n~~~~",
  "| a | b |\n| - | - |\n| 1 | 2 |",
  "> quote\nlazy\n> > deeper",
  '{% hint style="info" %}\nText\n\n{% code %}\n```sh\nls\n```\n{% endcode %}\n{% endhint %}',
  '{% tabs %}\n{% tab title="A" %}\n# not the title\n{% endtab %}\n{% endtabs %}',
  "<details>\n\n<summary>More</summary>\n\nText\n\n</details>",
  "<table><tr><td>x</td></tr></table>",
  "$$\nx^2\n\ny\n$$",
  "***",
  "[^1]: A note\n\n    goes on",
  "    indented code\n\n    goes on",
  "<!-- a comment\n\n# hidden -->",
];
const SHARDS = [
  ..."\n\n\n\r  \t#*-_`~<>[](){}%!|\\&:=+.\"'$^0aé漢🚀\u200d\uFEFF\0",
  "---",
  "```",
  "{%",
  "%}",
  "<!--",
  "<div>",
  "</div>",
];

/** A page of whole blocks. */
export const randomPage = (random: Random): string =>
  many(random, 8, () => pick(random, BLOCKS)).join(pick(random, ["\n\n", "\n\n\n", "\r\n\r\n"])) +
  pick(random, ["", "\n", "\n\n"]);

/** Anything at all: fragments of syntax, cut and mixed. */
export const randomText = (random: Random): string =>
  many(random, 60, () => {
    const block = pick(random, BLOCKS);
    return random() < 0.7 ? pick(random, SHARDS) : block.slice(Math.floor(random() * block.length));
  }).join("");

/** A title with everything a title may hold, on one line. */
export const randomTitle = (random: Random): string =>
  many(random, 12, () =>
    pick(random, [...SHARDS, "word", " ", "node.js", "*", "&amp;", "&#35;", "<b>", "`x`", "#"]),
  )
    .join("")
    .replace(/\0|\uFEFF/g, "")
    .replace(/\s+/g, " ")
    .trim();
