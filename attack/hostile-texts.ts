/** Pages that cost more to read, write or compare than their length suggests; the long ones in the full form alone. */
export function* hostileTexts(full: boolean): Iterable<[what: string, markdown: string]> {
  const times = (count: number) => Math.round(full ? count : count / 10);
  const repeat = (text: string, count: number) => text.repeat(times(count));
  yield [
    "brackets beside a footnote of emphasis",
    `${repeat("[^a]", 1600)}\n\n[^a]: ${repeat("*b* ", 1600)}\n`,
  ];
  yield [
    "references to one long address",
    `${repeat("[a] ", 20_000)}\n\n[a]: https://example.com/${repeat("x", 100_000)}\n`,
  ];
  yield ["notes in preformatted text", repeat("<pre>\n[^1]\n</pre>\n\n[^1]: <pre>note</pre>\n\n", 2_000)];
  yield [
    "one long variable, used often",
    `---\nvars:\n  a: ${repeat("v", 30_000)}\n---\n\n${repeat('<code class="expression">page.vars.a</code> ', 20_000)}\n`,
  ];
  yield ["nested quotes", `${repeat("> ", 5_000)}words\n`];
  yield [
    "nested lists",
    Array.from({ length: times(500) }, (_, depth) => `${"  ".repeat(depth)}* words`).join("\n"),
  ];
  yield ["open emphasis", repeat("*a **b ", 20_000)];
  yield ["open links", repeat("[a](", 20_000)];
  yield ["open images", repeat("![", 40_000)];
  yield ["open tags", repeat("<a ", 20_000)];
  yield ["open HTML elements", repeat("<div>", 20_000)];
  yield ["open comments", repeat("<!--", 20_000)];
  yield ["open hints", repeat('{% hint style="info" %}\n', 5_000)];
  yield ["open tabs", repeat('{% tabs %}\n{% tab title="a" %}\n', 3_000)];
  yield [
    "backticks of every length",
    Array.from({ length: times(1_000) }, (_, n) => "`".repeat(n)).join(" "),
  ];
  yield ["a table of many columns", tableOf(times(4_000), 4)];
  yield ["a table of many rows", tableOf(4, times(8_000))];
  yield [
    "definitions of everything",
    Array.from({ length: times(10_000) }, (_, n) => `[r${n}]: /a${n}`).join("\n"),
  ];
  yield ["footnotes of footnotes", Array.from({ length: times(2_000) }, (_, n) => noteOf(n)).join("\n\n")];
  yield ["headings of one name", repeat("# words\n\n", 10_000)];
  yield ["many short paragraphs", repeat("a\n\n", 40_000)];
  yield ["entities", repeat("&amp;&lt;&#x41;", 20_000)];
  yield ["frontmatter of aliases", `---\n${aliases(full ? 30 : 12)}---\n\nwords\n`];
  yield ["deep frontmatter", `---\na: ${repeat("[", 20_000)}\n---\n\nwords\n`];
  yield ["backslashes", repeat("\\", 100_000)];
  yield ["controls and directions", repeat("\u202e\u200d\ufeff\u0301", 20_000)];
}

const noteOf = (n: number) => `[^${n}]: [^${n + 1}] [^${n + 1}]`;

const tableOf = (columns: number, rows: number) =>
  [
    `|${" a |".repeat(columns)}`,
    `|${"-|".repeat(columns)}`,
    ...Array.from({ length: rows }, () => `|${" b |".repeat(columns)}`),
  ].join("\n");

/** Every alias stands for twice the one before. */
const aliases = (depth: number) =>
  Array.from({ length: depth }, (_, n) =>
    n ? `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]\n` : "a0: &a0 [x]\n",
  ).join("");
