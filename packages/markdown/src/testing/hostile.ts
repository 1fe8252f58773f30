import { pick, type Random } from "./random.js";

// Texts that are written to cost much: what opens and never closes, what is nested ever deeper, and what is defined once and
// used many times. For whatever reads pages; each grows with the size that is asked for, and has about that many
// characters.

/** A kind of hostile text. */
export interface Hostile {
  name: string;
  /** The text with about so many characters. */
  make(size: number): string;
}

const fill = (piece: string, size: number) =>
  piece.repeat(Math.max(1, Math.floor(size / Math.max(1, piece.length))));

/** One part written over and over. */
const repeated = (name: string, piece: string, end = ""): Hostile => ({
  name,
  make: (size) => fill(piece, size) + end,
});

/** What opens so often closes as often. */
const nested = (name: string, open: string, close: string, middle = "a"): Hostile => ({
  name,
  make: (size) => {
    const times = Math.max(1, Math.floor(size / (open.length + close.length)));
    return open.repeat(times) + middle + close.repeat(times);
  },
});

/** Uses of one definition: half of the text is the definition, the other half its uses. */
const amplified = (name: string, use: string, say: (long: string) => string, of = "x"): Hostile => ({
  name,
  make: (size) => `${fill(use, size / 2)}\n\n${say(fill(of, size / 2))}\n`,
});

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** A triangle of `count` lines, each longer by a step than the one before, has about this many of them. */
const triangle = (size: number, step: number): number =>
  Math.max(1, Math.floor(Math.sqrt((2 * size) / step)));

/** Pages that something is used in more often than it is written. */
export const AMPLIFIED: Hostile[] = [
  amplified("uses of a long note", "[^a]", (body) => `[^a]: ${body}`, "*b* "),
  amplified("uses of a note of many blocks", "[^a]", (body) => `[^a]: a${body}`, "\n\n    a"),
  amplified("uses of a long address", "[a] ", (address) => `[a]: ${address}`),
  amplified("uses of a long title", "[a] ", (title) => `[a]: b "${title}"`),
  amplified("images of a long address", "![a] ", (address) => `[a]: ${address}`),
  amplified("full uses of a long address", "[*b*][a] ", (address) => `[a]: ${address}`),
  amplified("notes in links", "[b](#user-content-fn-a)[^a] ", (body) => `[^a]: ${body}`, "c "),
  {
    name: "notes in code",
    make: (size) => {
      const note = '<a data-footnote-ref href="#user-content-fn-a">b</a>';
      return `<pre><code>${fill(note, size / 2)}</code></pre>\n\n[^a]: ${fill("*b* ", size / 2)}\n`;
    },
  },
  {
    name: "notes in HTML",
    make: (size) => {
      const note = '<a data-footnote-ref href="#user-content-fn-a">b</a>';
      return `${fill(`<p align="center">${note}</p>\n\n`, size / 2)}[^a]: ${fill("*b* ", size / 2)}\n`;
    },
  },
  {
    name: "several notes and addresses",
    make: (size) => {
      const parts = Array.from({ length: 10 }, (_, at) => at);
      const said = parts.map(
        (at) => `[${at}]: ${fill("x", size / 40)}\n\n[^${at}]: ${fill("b ", size / 40)}`,
      );
      return `${fill(parts.map((at) => `[${at}] [^${at}] `).join(""), size / 2)}\n\n${said.join("\n\n")}\n`;
    },
  },
  {
    name: "pages of addresses in cells",
    make: (size) => {
      const inner = `${"[a] ".repeat(500)}&#x2028;&#x2028;[a]: ${"x".repeat(2000)}`;
      const row = `<tr><td><div data-markdown="${inner}"></div></td></tr>`;
      return `<table><thead><tr><th>a</th></tr></thead><tbody>${fill(row, size)}</tbody></table>\n`;
    },
  },
  {
    name: "tables in cells",
    make: (size) => {
      const inner = `${"|a".repeat(200)}&#x2028;${"|-".repeat(200)}&#x2028;${"|b&#x2028;".repeat(100)}`;
      const row = `<tr><td><div data-markdown="${inner}"></div></td></tr>`;
      return `<table><thead><tr><th>a</th></tr></thead><tbody>${fill(row, size)}</tbody></table>\n`;
    },
  },
  {
    name: "columns and short rows",
    make: (size) => `${fill("|a", size / 3)}\n${fill("|-", size / 3)}\n${fill("|b\n", size / 3)}`,
  },
  {
    name: "breaks in deep items",
    make: (size) => `${lines(30, (at) => `${"  ".repeat(at)}* a`)}\n${fill("b\\\n", size)}`,
  },
  {
    name: "breaks in deep quotes",
    make: (size) => `${"> ".repeat(50)}a\\\n${fill("b\\\n", size)}`,
  },
  {
    name: "aliases in the frontmatter",
    make: (size) => {
      const long = fill("x", Math.min(size, 25_000));
      return `---\nvars:\n  a: &a ${long}\n  b: [${fill("*a,", 250)}]\n---\n\na\n`;
    },
  },
  {
    name: "aliases of aliases",
    make: () => {
      const levels = Array.from({ length: 20 }, (_, at) => `  a${at + 1}: &a${at + 1} [*a${at},*a${at}]`);
      return `---\nvars:\n  a0: &a0 [x,x]\n${levels.join("\n")}\n---\n\na\n`;
    },
  },
];

/** Pages of what opens and closes, or does not, and of what lies deep. */
export const NESTED: Hostile[] = [
  repeated("quotes", "> ", "a"),
  repeated("list marks", "* ", "a"),
  repeated("tags without their end", "{% hint %}\n"),
  repeated("tags that end together", "{% ", "%}"),
  repeated("tags with names that end together", "{% if ", "%}"),
  repeated("tags over lines", "a {% if\n", "%}"),
  repeated("elements without a bracket", "<div "),
  repeated("elements within elements", "<div>"),
  repeated("details without their end", "<details>\n<summary>a</summary>\n\n"),
  repeated("tables without their end", "<table>\n\n"),
  repeated("comments without their end", "<!-- "),
  repeated("attributes without their end", '<b "'),
  repeated("code without its end", "` `` ``` "),
  repeated("math without its end", "$$a $"),
  repeated("fences without their end", "```\n~~~\n"),
  repeated("links without their end", "[a](b "),
  repeated("titles of links without their end", "[a](b (c "),
  repeated("brackets", "["),
  repeated("images without their end", "!["),
  repeated("runs of emphasis", "*a_ "),
  repeated("runs of strong emphasis", "**a _b_ "),
  repeated("runs of stars", "*"),
  repeated("runs that are struck", "~~a ~ "),
  repeated("entities", "&#x20;&amp;&"),
  repeated("backslashes", "\\"),
  repeated("breaks", "\\\n"),
  repeated("tildes and colons", ":smile: :a"),
  repeated("plain addresses", "https://a.b/(c_"),
  repeated("addresses in brackets", "<https://a.b "),
  repeated("definitions", "[a]: b\n"),
  repeated("notes", "[^a]: b\n"),
  repeated("underlines", "a\n=\n"),
  repeated("closing marks of headings", "# a #"),
  repeated("headings that are alike", "# a\n\n"),
  repeated("pipes", "|"),
  repeated("cells", "|a|b\n|-|-\n"),
  repeated("selects", "<select>"),
  repeated("figures", "<figure><img src=a>"),
  repeated("paragraphs", "a\n\n"),
  repeated("items", "*\n"),
  repeated("carriage returns", "\r"),
  repeated("expressions without their end", '<code class="expression">'),
  repeated("words of one letter", "a "),
  repeated("one long word", "a"),
  nested("brackets in brackets", "[", "]"),
  nested("links in links", "[", "](a)"),
  nested("images in images", "![", "](a)"),
  nested("parentheses of a link", "(", ")", "a"),
  nested("elements closed in one line", "<div>", "</div>"),
  nested("marks of elements", "<b><i>", "</i></b>"),
  nested("hints in hints", "{% hint %}\n", "{% endhint %}\n", "a\n"),
  nested("conditions in conditions", "{% if a %}\n", "{% endif %}\n", "a\n"),
  nested("leaves in leaves", '{% content-ref url="a" %}\n', "{% endcontent-ref %}\n", "a\n"),
  nested("tabs in tabs", '{% tabs %}\n{% tab title="a" %}\n', "{% endtab %}\n{% endtabs %}\n", "a\n"),
  nested("details in details", "<details>\n<summary>a</summary>\n\n", "\n</details>\n"),
  nested("strong in emphasis", "*a **b ", "** *"),
  {
    name: "items ever deeper",
    make: (size) => lines(triangle(size, 2), (at) => `${"  ".repeat(at)}* a`),
  },
  {
    name: "quotes ever deeper",
    make: (size) => lines(triangle(size, 1), (at) => `${">".repeat(at + 1)} a\n`),
  },
  {
    name: "fences ever longer",
    make: (size) => lines(triangle(size, 1), (at) => "`".repeat(at + 3)),
  },
  { name: "one long value", make: (size) => `{% hint title="${fill("x", size)}" %}\na\n{% endhint %}\n` },
  { name: "one long attribute", make: (size) => `<a title="${fill("x ", size)}">b</a>\n` },
  { name: "blanks in a line", make: (size) => `a${fill(" ", size)}b\n` },
  { name: "blanks in a tag", make: (size) => `a <b ${fill(" ", size)}>b\n` },
  {
    name: "notes in a paragraph of HTML",
    make: (size) => `<p align="center">${fill("data-footnote-ref ", size)}</p>\n`,
  },
  {
    name: "cells of HTML",
    make: (size) => `<table><thead><tr><th>a</th></tr></thead>${fill("<tr><td>b</td></tr>", size)}</table>\n`,
  },
  {
    name: "many tables of HTML",
    make: (size) =>
      fill("<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>\n\n", size),
  },
];

/** Pages whose variables, expressions or conditions are used over and over. */
export const EVALUATED: Hostile[] = [
  repeated("uses of a variable", '<code class="expression">space.vars.long</code> '),
  repeated("uses of a variable twice", '<code class="expression">space.vars.long + page.vars.long</code> '),
  repeated(
    "a variable in lists of lists",
    '<code class="expression">[1,2,3,4,5,6,7,8,9].map(a => [1,2,3,4,5,6,7,8,9].map(b => space.vars.long.toUpperCase())).at(0).at(0)</code> ',
  ),
  repeated("conditions", "{% if space.vars.long %}\na\n{% endif %}\n\n"),
  repeated(
    "expressions ever deeper",
    `<code class="expression">${"(".repeat(300)}1${")".repeat(300)}</code> `,
  ),
  repeated("long texts", `<code class="expression">"${"x".repeat(900)}"</code> `),
  repeated("what visitors say", '<code class="expression">visitor.claims.a ?? space.vars.long</code> '),
];

/** Tables of contents. */
export const SUMMARIES: Hostile[] = [
  repeated("items", "* [a](b.md)\n"),
  repeated("brackets", "* ["),
  repeated("links in parentheses", "* ![a](b (c "),
  repeated("comments without their end", "<!--\n"),
  repeated("groups", "## a\n"),
  repeated("lines of one item", "b\n"),
  repeated("titles that are alike", "* [a](a.md)\n* [a](b.md)\n"),
  {
    name: "items ever deeper",
    make: (size) => lines(triangle(size, 2), (at) => `${"  ".repeat(at)}* [a](${at}.md)`),
  },
];

/** Files of variables and settings. */
export const YAMLS: Hostile[] = [
  repeated("names", "a: b\n"),
  { name: "names of their own", make: (size) => lines(size / 10, (at) => `a${at}: b`) },
  { name: "lists in lists", make: (size) => `a: ${fill("[", size)}` },
  { name: "maps in maps", make: (size) => lines(triangle(size, 1), (at) => `${" ".repeat(at)}a:`) },
  { name: "aliases", make: (size) => `a: &a ${fill("x", size / 2)}\nb: [${fill("*a,", size / 2)}]\n` },
  { name: "merge keys", make: (size) => `a: &a {b: c}\n${fill("d: {<<: *a}\n", size)}` },
  { name: "quotes without their end", make: (size) => `a: "${fill("x ", size)}` },
  { name: "anchors", make: (size) => lines(size / 16, (at) => `a${at}: &b${at} *b${at - 1}`) },
];

const OPENING = [
  ..."[(<>{*_`~!|#:$&\\ \n",
  "![",
  "{% if a %}\n",
  "{% hint %}\n",
  '{% code title="a" %}\n',
  "<b>",
  "<details>\n<summary>a</summary>\n\n",
  '<code class="expression">space.vars.long</code>',
  "<table><tr><td>",
  "<pre><code>",
  "[^a]",
  "[a]",
  "[a][b]",
  "![a][b]",
  "> ",
  "* ",
  "  ",
  "```\n",
  "$$",
  "https://a.b",
  "a",
];
const CLOSING = [
  ..."])>}*_`~|\n",
  "](a)",
  "{% endif %}\n",
  "{% endhint %}\n",
  "{% endcode %}\n",
  "</b>",
  "\n</details>\n",
  "</td></tr></table>",
  "</code></pre>",
  "```\n",
  "$$",
  "",
];

/** A hostile page by chance, with about `size` characters: what opens, what closes it or not, and what both refer to. */
export function randomHostile(random: Random, size: number): string {
  const some = (pieces: string[]) =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, pieces)).join("");
  const [open, close, glue] = [some(OPENING), some(CLOSING), pick(random, ["", " ", "\n", "\n\n", "a"])];
  const third = Math.floor(size / 3);
  const said = [
    `[a]: ${fill(some(["x", "%20", "(", "\\"]), third)}`,
    `[b]: c "${fill(some(["x", "&amp;", " "]), third)}"`,
    `[^a]: ${fill(some(OPENING), third)}`,
    fill(close, third),
  ];
  const body = [fill(open + glue, third), fill(close + glue, third)];
  if (random() < 0.3) body.reverse();
  return `${body.join("")}\n\n${pick(random, said)}\n`;
}
