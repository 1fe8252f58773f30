import { expect, test } from "vitest";
import { readSource } from "../source/source.js";
import { randomPage, randomText, seeded } from "../testing/random.js";
import { workOf } from "../testing/work.js";
import { type JSONDocument, plainText } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";
import { randomDocument } from "./testing.js";

const again = (document: JSONDocument) => parseDocument(renderDocument(document), { body: true });

test("markdown to document to markdown: a second round changes nothing", () => {
  for (const make of [randomPage, randomText]) {
    for (let seed = 0; seed < 600; seed += 1) {
      const first = parseDocument(make(seeded(seed)), { body: true });
      expect(again(first), `seed ${seed}`).toEqual(first);
    }
  }
});

test("document to markdown to document is the same document", () => {
  for (let seed = 0; seed < 800; seed += 1) {
    const document = randomDocument(seeded(seed));
    expect(again(document), `seed ${seed}`).toEqual(document);
  }
});

const KINDS = {
  block:
    "paragraph heading-1 heading-2 heading-3 list-ordered list-unordered list-tasks list-item divider blockquote hint " +
    "if images image file drawing embed code code-line math expandable tabs tabs-item table swagger " +
    "openapi-operation openapi-schemas openapi-webhook content-ref integration reusable-content stepper " +
    "stepper-step columns column updates update prompt",
  inline: "link emoji icon expression inline-math inline-image annotation mention button",
  mark: "bold italic code keyboard strikethrough color superscript subscript",
};

test("the documents that the laws are held to have every block, inline and mark of the contract", () => {
  const seen: Record<string, Set<unknown>> = { block: new Set(), inline: new Set(), mark: new Set() };
  for (let seed = 0; seed < 800; seed += 1) {
    const open: unknown[] = [randomDocument(seeded(seed)).nodes];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node !== "object" || node === null) continue;
      const { object, type } = node as { object?: string; type?: unknown };
      seen[object ?? ""]?.add(type);
      open.push(...Object.values(node));
    }
  }
  for (const [object, kinds] of Object.entries(KINDS))
    expect([...seen[object]!].sort()).toEqual(kinds.split(" ").sort());
});

test("a page that counts as empty has no blocks", () => {
  for (const make of [randomPage, randomText]) {
    for (let seed = 0; seed < 300; seed += 1) {
      const page = make(seeded(seed));
      const { nodes } = parseDocument(page);
      if (readSource(page).empty || nodes.length > 0)
        expect(nodes.length === 0, `seed ${seed}`).toBe(readSource(page).empty === true);
    }
  }
});

const words = (text: string) => new Set(text.match(/[\p{L}\p{N}]{3,}/gu) ?? []);

test("no input loses words", () => {
  for (let seed = 0; seed < 600; seed += 1) {
    const markdown = randomText(seeded(seed));
    const written = renderDocument(parseDocument(markdown, { body: true }));
    const kept = words(written);
    const lost = [...words(markdown)].filter((word) => !kept.has(word) && !HTML.test(word));
    expect(lost, `seed ${seed}: ${markdown}`).toEqual([]);
  }
});
/** Elements, references and attributes that another form of the same stands for. */
const HTML =
  /^(?:table|tbody|thead|div|summary|details|href|link|endtab|endcode|code|x20|info|hint|style|title|align|center)$/;

const deep = (piece: string, end = "") => piece.repeat(10_000) + end;
test.each([
  ["quotes", deep("> ", "text")],
  [
    "quotes on lines of their own",
    Array.from({ length: 300 }, (_, depth) => `${">".repeat(depth + 1)} text`).join("\n\n"),
  ],
  ["list marks", deep("* ", "text")],
  [
    "indented lists",
    Array.from({ length: 1000 }, (_, depth) => `${"  ".repeat(depth)}* item${depth}`).join("\n"),
  ],
  ["marks and links in one line", deep("word *a* [b](c) `d` :house: ")],
  ["brackets", deep("[", "text")],
  ["closed brackets", deep("[", "text") + deep("]")],
  ["links not closed", deep("[a](b ")],
  ["emphasis", deep("*a_ ")],
  ["stars", deep("**a ")],
  ["backticks", deep("`a``")],
  ["elements", deep("<b><i>", "text")],
  ["elements not closed", deep("<table>\n\n")],
  ["details not closed", deep("<details>\n")],
  ["tags not closed", deep('{% hint style="info" %}\n')],
  ["tags in tags", deep("{% hint %}\n", "text\n") + deep("{% endhint %}\n")],
  ["footnotes", deep("[^1]: ", "text")],
  ["math", deep("$$ ")],
  ["references", deep("&#x20;&")],
  ["tables", `${deep("|a")}|\n${deep("|-")}|\n${deep("|b")}|`],
  ["images", deep("![")],
  ["comments", deep("<!-- ")],
  ["attributes", `<a ${deep('"a ')}`],
])("10,000 of %s: neither throws nor hangs nor loses text", (_, markdown) => {
  let written = "";
  const work = workOf(() => {
    written = renderDocument(parseDocument(markdown, { body: true }));
  });
  expect(work).toBeLessThan(500 * markdown.length);
  const kept = words(written);
  expect([...words(markdown)].filter((word) => !kept.has(word) && !HTML.test(word))).toEqual([]);
});

test("a document of 10,000 quotes in each other is written with all its words", () => {
  let nodes: JSONDocument["nodes"] = [];
  nodes = [
    {
      object: "block",
      type: "paragraph",
      nodes: [{ object: "text", leaves: [{ object: "leaf", text: "deepest", marks: [] }] }],
    },
  ];
  for (let depth = 0; depth < 10_000; depth += 1) nodes = [{ object: "block", type: "blockquote", nodes }];
  expect(renderDocument({ object: "document", data: {}, nodes })).toContain("deepest");
});

test("plainText of a paragraph is its words", () => {
  expect(plainText(parseDocument("a **b** [c](d)\\\ne", { body: true }).nodes)).toBe("a b c\ne");
});
